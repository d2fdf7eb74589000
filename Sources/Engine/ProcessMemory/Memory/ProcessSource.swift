import SystemLibrary

/// The process whose memory and threads are read.
package enum ProcessSource: Sendable {
  /// This process.
  case own
  case other(Int32)
  #if os(Linux)
    /// The process that a core file describes.
    case core(any RecordedProcess)
  #endif

  /// The folder with what the kernel says about the process, or nil if it doesn't.
  var folder: String? {
    switch self {
    case .own: "/proc/self"
    case .other(let process): "/proc/\(process)"
    #if os(Linux)
      case .core: nil
    #endif
    }
  }

  #if os(Linux)
    /// The number of the process, which is that of its first thread.
    package var number: Int32 {
      switch self {
      case .own: getpid()
      case .other(let process): process
      case .core(let core): core.number
      }
    }

    /// The numbers of the threads.
    package var threads: [Int32] {
      switch self {
      case .own, .other: folder.map { ProcFile.numbers(in: "\($0)/task") } ?? []
      case .core(let core): core.threadNumbers
      }
    }

    /// The path of the program, as the process sees it.
    package var program: String? {
      switch self {
      case .own, .other:
        folder.flatMap { ProcFile.target(ofLink: "\($0)/exe") }
          .map { path in root.map { Self.path(path, below: $0) } ?? path }
      case .core(let core): core.program
      }
    }

    /// The folder that is the root of the process (chroot(2)), or nil if it isn't a folder of this
    /// process, which is also so in most containers. The kernel writes all paths of the process
    /// with it.
    var root: String? {
      guard case .other(let process) = self,
        let root = ProcFile.target(ofLink: "/proc/\(process)/root"), root != "/"
      else { return nil }
      return root
    }

    /// Returns a path as a process with a root sees it.
    static func path(_ path: String, below root: String) -> String {
      path.hasPrefix(root + "/") ? String(path.dropFirst(root.utf8.count)) : path
    }
  #endif
}
