package import HostSafety
import ProcessReading
import SystemLibrary

#if os(Linux)
  /// Notices that processes write to a pipe or a socket, whose time of the last output isn't known.
  ///
  /// The kernel counts the bytes that a process writes to anything, and adds those of its children
  /// when they end. They count as output if the process has the pipe. A thread that wakes another
  /// one writes 8 bytes to an event counter, as a run loop does that waits for an XCTest
  /// expectation. So bytes in groups of 8 don't count if the process has an event counter.
  package struct ProcessOutput {
    /// What a process has written (`wchar` and `syscw` in proc(5)).
    private struct Written: Equatable {
      var bytes: UInt64 = 0
      var calls: UInt64 = 0

      init() {}

      /// Reads the counts of a process, or returns nil if they can't be read.
      init?(of process: Int32) {
        guard let text = ProcFile.text("/proc/\(process)/io") else { return nil }
        for line in text.split(separator: "\n") {
          let words = line.split(separator: " ")
          guard words.count == 2, let number = UInt64(words[1]) else { continue }
          switch words[0] {
          case "wchar:": bytes = number
          case "syscw:": calls = number
          default: break
          }
        }
      }
    }

    /// The size of the value of an event counter (eventfd(2)), in bytes.
    private static let sizeOfEvent: UInt64 = 8

    private let files: [FileIdentity]
    private var written: [Int32: Written] = [:]

    /// - Parameter files: The pipes and sockets.
    package init(to files: [FileIdentity]) { self.files = files }

    /// Returns whether one of the processes has written to the files since the last call.
    package mutating func hasGrown(in processes: [Int32]) -> Bool {
      var hasGrown = false
      var current: [Int32: Written] = [:]
      for process in processes {
        guard let now = Written(of: process) else { continue }
        current[process] = now
        let before = written[process] ?? Written()
        // Less than before: this is another process with the same number.
        let bytes = now.bytes >= before.bytes ? now.bytes - before.bytes : now.bytes
        let calls = now.calls >= before.calls ? now.calls - before.calls : now.calls
        guard bytes > 0, !hasGrown else { continue }
        let open = OpenFiles(of: process, comparedTo: files)
        hasGrown = open.hasOne && !(open.hasEventCounter && bytes == calls * Self.sizeOfEvent)
      }
      written = current
      return hasGrown
    }
  }

  /// What is known about the open files of a process.
  private struct OpenFiles {
    private(set) var hasOne = false
    private(set) var hasEventCounter = false

    init(of process: Int32, comparedTo files: [FileIdentity]) {
      let folder = "/proc/\(process)/fd"
      for number in ProcFile.numbers(in: folder) {
        if let file = FileIdentity(target: "\(folder)/\(number)"), files.contains(file) {
          hasOne = true
        } else if ProcFile.target(ofLink: "\(folder)/\(number)") == "anon_inode:[eventfd]" {
          hasEventCounter = true
        }
      }
    }
  }
#endif
