import CRuntime.OwnProcess
import SystemLibrary

/// The program or a library, as loaded in a process.
package struct LoadedImage: Hashable, Sendable {
  /// The position of the image in memory.
  private enum Position: Hashable {
    /// The difference between its addresses in memory and in its file.
    case distance(UInt)
    /// The address of the first byte of its file.
    case base(UInt)
  }

  private let position: Position
  /// The path of its file, for names.
  package let path: String
  /// The path at which this process can open the file.
  package let file: String

  /// Creates an image of another process.
  ///
  /// - Parameters:
  ///   - path: The path as that process sees it.
  ///   - file: The path at which this process can open the file.
  ///   - base: The address of the first byte of the file in memory.
  package init(path: String, file: String, base: UInt) {
    self.path = path
    self.file = file
    position = .base(base)
  }

  /// Finds the image of this process that contains an address.
  package init?(at address: UInt) {
    #if os(Linux)
      var distance: UInt = 0
      var path = [CChar](repeating: 0, count: 4096)
      guard trace_image(address, &distance, &path, UInt(path.count)) else { return nil }
      position = .distance(distance)
      let known = SystemError.text(path)
      // The system reports an empty path for the program itself. Its file is read through a link,
      // which still works if another file has replaced it.
      self.path = known.isEmpty ? Self.program : known
      file = known.isEmpty ? "/proc/self/exe" : known
    #else
      return nil
    #endif
  }

  /// Whether the file with a path is glibc.
  package static func isCLibrary(_ path: String?) -> Bool {
    path?.split(separator: "/").last?.hasPrefix("libc.so") == true
  }

  #if os(Linux)
    private static var program: String {
      ProcFile.target(ofLink: "/proc/self/exe") ?? ""
    }

    /// Returns the difference between the addresses of the image in memory and in its file.
    package func distance(_ file: ElfFile) -> UInt {
      switch position {
      case .distance(let distance): distance
      case .base(let base): base &- file.firstAddress
      }
    }

    /// The base address for the offsets of calls without a name.
    package var start: UInt {
      switch position {
      case .distance(let distance): distance
      case .base(let base): base
      }
    }
  #endif
}
