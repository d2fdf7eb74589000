#if os(Linux)
  import ProcessMemory

  /// A core file, with what restricts an inspection of it.
  package struct InspectedCore: Sendable {
    /// The reasons why not everything is known that would be about a running process.
    package enum Doubt: Equatable, Sendable {
      /// The file ends before the memory that it describes.
      case truncated
      /// The file describes memory that can't be.
      case damaged
      /// The file doesn't have all memory that the process has changed.
      case noMemory
      /// The file doesn't say which program the process ran.
      case noProgram
      /// A file can't be opened.
      case missing(path: String)
      /// A file isn't the one that the process had.
      case different(path: String)
      /// The core file doesn't have what is necessary to compare a file.
      case incomparable(path: String)
    }

    package let file: CoreFile

    /// Opens a core file, and the program and the libraries of its process.
    ///
    /// - Parameter root: The folder with the file system of the process, or an empty string.
    package init(_ path: String, root: String = "") throws(CoreFailure) {
      do throws(CoreFile.Failure) {
        file = try CoreFile(path, root: root)
      } catch {
        throw switch error {
        case .cannotOpen(let number): .cannotOpen(number)
        case .notACore: .notACore
        case .otherArchitecture: .otherArchitecture
        case .noNotes: .noNotes
        }
      }
    }

    package var doubts: [Doubt] {
      var doubts: [Doubt] = []
      if file.isTruncated { doubts.append(.truncated) }
      if file.isDamaged { doubts.append(.damaged) }
      if !file.isTruncated, file.lacksMemory { doubts.append(.noMemory) }
      if file.program == nil { doubts.append(.noProgram) }
      return doubts
        + file.images.compactMap { image in
          switch image.problem {
          case .missing: .missing(path: image.file)
          case .different: .different(path: image.file)
          // The beginning is in the missing part.
          case .unknown where !file.isTruncated: .incomparable(path: image.file)
          case .unknown, nil: nil
          }
        }
    }

    /// The process that the core file describes.
    package var process: ProcessEntry {
      let notes = file.notes
      var words = notes.command.split(separator: " ").map(String.init)
      if let program = file.program, Self.name(words.first ?? "") != Self.name(program) {
        words = [program]
      } else if notes.command.utf8.count >= Self.maxCommand {
        words.append("…")
      }
      return ProcessEntry(
        process: notes.process, parent: notes.parent, name: notes.name, command: words,
        isZombie: false, start: 0)
    }

    /// The maximum length of the command line, in bytes (`ELF_PRARGSZ` of the kernel's
    /// `linux/elfcore.h` without the end).
    private static let maxCommand = 79

    private static func name(_ path: String) -> Substring? { path.split(separator: "/").last }

    private var files: ProcessFiles { ProcessFiles(of: .core(file), MemoryMap(file)) }

    /// Returns whether the process has a Swift program.
    package func isSwift(isInTime: @escaping () -> Bool) -> Bool {
      let files = files
      return files.hasSwift || !files.sections(Self.section, isInTime: isInTime).isEmpty
    }

    /// The name of a section that only Swift programs have.
    private static let section = "swift5_type_metadata"

    /// The functions with which a program gives values to the kernel that can be addresses.
    private static let functionsWithValues = ["epoll_ctl", "timer_create", "io_uring_enter"]

    /// A Boolean value that indicates whether the program or one of its own libraries can give
    /// addresses to the kernel. The libraries of the system and of the toolchain keep such objects
    /// in lists of their own, too.
    package var givesAddressesToKernel: Bool {
      let files = files
      return Self.functionsWithValues.contains { files.userImports($0, isInTime: { true }) }
    }
  }

  extension ThreadReader {
    /// Reads the threads of a core file. The second result is the number of threads that were left
    /// out, because there are too many.
    static func threads(
      in core: CoreFile, _ unwinder: Unwinder
    ) -> (read: [ThreadStack], missing: Int) {
      let notes = core.notes
      let read = notes.threads.prefix(maxThreads).map { thread in
        let copy = StackCopy(
          start: thread.stackPointer, bytes: unwinder.stack(from: thread.stackPointer))
        let frames = unwinder.frames(pc: thread.pc, thread.registers, copy)
        let call = ThreadCall(thread)
        return ThreadStack(
          thread: thread.number, name: thread.number == notes.process ? notes.name : "",
          state: call == nil ? "R" : "S", wait: .init(call), frames: frames.calls,
          gap: frames.gap, error: 0, stack: copy)
      }
      return (read, notes.threads.count - read.count)
    }
  }
#endif

/// The reasons why a core file can't be inspected.
package enum CoreFailure: Error, Equatable, Sendable {
  /// The number of the system's error.
  case cannotOpen(Int32)
  case notACore
  case otherArchitecture
  /// The file doesn't have the descriptions of the process and its threads.
  case noNotes
  /// There isn't enough memory.
  case unreadable
  /// This platform doesn't have such files.
  case unsupported
}
