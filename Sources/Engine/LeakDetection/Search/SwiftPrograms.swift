#if os(Linux)
  import CodeLocations
  import SystemLibrary
  import ProcessMemory

  /// Which processes run a Swift program that isn't one of the toolchain.
  package enum SwiftPrograms {
    /// The names of sections that only Swift programs have (`SWIFT_TYPEREF_SECTION_NAME` and others
    /// in the runtime's `SwiftRT-ELF.cpp`).
    private static let section = "swift5_type_metadata"
    private static let library = "/libswiftCore.so"
    /// The compiler, which is next to the other programs of a toolchain.
    private static let compiler = "swift-frontend"

    /// The section with the variables that the address sanitizer watches (`ModuleAddressSanitizer`
    /// in LLVM).
    private static let sectionOfSanitizer = "asan_globals"

    /// A file with its content.
    private struct FileVersion: Hashable {
      let numbers: [Int]

      init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        numbers = [
          Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_ctim.tv_sec,
          status.st_ctim.tv_nsec,
        ]
      }
    }

    private struct Sections {
      let areOfSwift: Bool
      let areOfAddressSanitizer: Bool
    }

    /// The sections of the programs so far. A command can execute a program thousands of times, and
    /// all of its processes wait while the file is read.
    private static let known = BlockingMutex<[FileVersion: Sections]>([:])

    private static func sections(of process: Int32) -> Sections? {
      let path = "/proc/\(process)/exe"
      guard let version = FileVersion(path) else { return nil }
      if let found = known.withLock({ $0[version] }) { return found }
      guard let file = ElfFile(path, isInTime: { true }) else { return nil }
      let found = Sections(
        areOfSwift: file.hasSection(section),
        areOfAddressSanitizer: file.hasSection(sectionOfSanitizer))
      known.withLock { $0[version] = found }
      return found
    }

    /// Returns whether a process runs a program with the address sanitizer. Its search for leaks
    /// traces the process, which isn't possible twice, and ends the process with an error.
    package static func hasAddressSanitizer(_ process: Int32) -> Bool {
      sections(of: process)?.areOfAddressSanitizer == true
    }

    /// Returns whether a process runs a Swift program.
    package static func runs(_ process: Int32) -> Bool {
      if sections(of: process)?.areOfSwift == true { return true }
      var list = ProcFile.bytes("/proc/\(process)/maps", maxCount: MemoryMap.maxListSize) ?? []
      // Most programs of other languages don't need a list of the parts.
      list.append(0)
      let isMapped = list.withUnsafeBytes { bytes in
        bytes.bindMemory(to: CChar.self).baseAddress.flatMap { strstr($0, library) } != nil
      }
      guard isMapped else { return false }
      // A linker maps the library, too, but doesn't execute it.
      return MemoryMap(list: list).parts.contains {
        $0.use == .code && $0.path?.contains(library) == true
      }
    }

    /// Returns whether a process runs a program of a Swift toolchain, such as the compiler or the
    /// package manager.
    package static func isOfToolchain(_ process: Int32) -> Bool {
      guard let path = ProcessSource.other(process).program,
        let slash = path.lastIndex(of: "/")
      else { return false }
      let folder = path[..<slash]
      if folder.hasSuffix("/libexec/swift") || folder.contains("/libexec/swift/") { return true }
      return access("/proc/\(process)/root\(folder)/\(compiler)", F_OK) == 0
    }
  }
#endif
