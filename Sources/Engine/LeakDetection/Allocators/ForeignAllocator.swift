/// An allocator that takes the place of glibc's in a process.
package struct ForeignAllocator: Equatable, Sendable {
  /// The name as a part of a sentence, or nil if the allocator isn't a known one.
  package let name: String?
  /// A Boolean value that indicates whether the allocator belongs to a sanitizer.
  package let isSanitizer: Bool

  package static let unknown = ForeignAllocator(name: nil, isSanitizer: false)
  /// Glibc's, in which free blocks can't be told from blocks in use.
  package static let unknownVersion = ForeignAllocator(
    name: "that of an unknown version of glibc", isSanitizer: false)
}

#if os(Linux)
  import CodeLocations
  package import ProcessMemory

  extension ForeignAllocator {
    /// The starts of the names of libraries that define `malloc`.
    private static let libraries: [(start: String, name: String, isSanitizer: Bool)] = [
      ("libjemalloc", "jemalloc", false), ("libmimalloc", "mimalloc", false),
      ("libtcmalloc", "tcmalloc", false), ("libsnmalloc", "snmalloc", false),
      ("libhoard", "Hoard", false), ("libscudo", "scudo", false),
      ("libclang_rt.scudo", "scudo", false),
      ("libasan", "the address sanitizer", true),
      ("libclang_rt.asan", "the address sanitizer", true),
      ("libclang_rt.hwasan", "the address sanitizer", true),
      ("libtsan", "the thread sanitizer", true),
      ("libclang_rt.tsan", "the thread sanitizer", true),
      ("liblsan", "the leak sanitizer", true), ("libclang_rt.lsan", "the leak sanitizer", true),
      ("libclang_rt.msan", "the memory sanitizer", true),
    ]

    /// Functions that identify an allocator that is linked statically.
    private static let functions: [(function: String, name: String, isSanitizer: Bool)] = [
      ("__asan_init", "the address sanitizer", true), ("__tsan_init", "the thread sanitizer", true),
      ("__msan_init", "the memory sanitizer", true), ("__lsan_init", "the leak sanitizer", true),
      ("mallctl", "jemalloc", false), ("mi_malloc", "mimalloc", false),
      ("tc_malloc", "tcmalloc", false), ("TCMallocInternalMalloc", "tcmalloc", false),
      ("__scudo_print_stats", "scudo", false),
    ]
    private static let allocation = "malloc"
    private static let libc = "libc.so.6"

    /// Returns the allocator of a process if a library or the program itself has another one than
    /// glibc's.
    package static func inUse(_ files: ProcessFiles, isInTime: @escaping () -> Bool)
      -> ForeignAllocator?
    {
      let names = files.images.map { $0.loaded.path.split(separator: "/").last ?? "" }
      for (start, name, isSanitizer) in libraries
      where names.contains(where: { $0.hasPrefix(start) }) {
        return ForeignAllocator(name: name, isSanitizer: isSanitizer)
      }
      guard let program = files.images.first,
        let file = ElfFile(program.loaded.file, isInTime: isInTime)
      else { return nil }
      let found = file.functions(
        among: [allocation] + functions.map(\.function), isInTime: isInTime)
      // A program without the C library as a library has its allocator, too.
      guard found.contains(allocation), names.contains(where: { $0 == libc }) || found.count > 1
      else { return nil }
      let known = functions.first { found.contains($0.function) }
      return known.map { ForeignAllocator(name: $0.name, isSanitizer: $0.isSanitizer) } ?? unknown
    }
  }
#endif
