#if os(Linux)
  import CodeLocations
  import SystemLibrary
  import ProcessMemory

  /// Which processes run a Swift program that isn't one of the toolchain.
  package enum SwiftPrograms {
    /// The names of sections that only Swift programs have (`SWIFT_TYPEREF_SECTION_NAME` and others
    /// in the runtime's `SwiftRT-ELF.cpp`).
    private static let section = "swift5_type_metadata"
    /// The compiler, which is next to the other programs of a toolchain.
    private static let compiler = "swift-frontend"

    /// The section with the variables that the address sanitizer watches (`ModuleAddressSanitizer`
    /// in LLVM).
    private static let sectionOfSanitizer = "asan_globals"

    /// Returns whether a process runs a program with the address sanitizer. Its search for leaks
    /// traces the process, which isn't possible twice, and ends the process with an error.
    package static func hasAddressSanitizer(_ process: Int32) -> Bool {
      ElfFile("/proc/\(process)/exe", isInTime: { true })?.hasSection(sectionOfSanitizer) == true
    }

    /// Returns whether a process runs a Swift program.
    package static func runs(_ process: Int32) -> Bool {
      guard let map = MemoryMap(ofProcess: process) else { return false }
      // A linker maps the library, too, but doesn't execute it.
      if map.parts.contains(where: {
        $0.use == .code && $0.path?.contains("/libswiftCore.so") == true
      }) {
        return true
      }
      return ElfFile("/proc/\(process)/exe", isInTime: { true })?.hasSection(section) == true
    }

    /// Returns whether a process runs a program of a Swift toolchain, such as the compiler or the
    /// package manager.
    package static func isOfToolchain(_ process: Int32) -> Bool {
      guard let path = ProcFile.target(ofLink: "/proc/\(process)/exe"),
        let slash = path.lastIndex(of: "/")
      else { return false }
      let folder = path[..<slash]
      if folder.hasSuffix("/libexec/swift") || folder.contains("/libexec/swift/") { return true }
      return access("/proc/\(process)/root\(folder)/\(compiler)", F_OK) == 0
    }
  }
#endif
