import ProcessInspection
import SystemLibrary
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// What `tasks` and `leaks` look at: a running process, or a core file.
enum InspectedOperand {
  case process(Int32)
  case core(String)

  /// Returns the operands of a command. A number is a process, and a path is a core file.
  static func all(
    _ console: Console, _ command: CommandSpec.Name
  ) throws(UsageError) -> [InspectedOperand] {
    guard !console.arguments.operands.isEmpty else { throw .missingOperand(command) }
    var found: [InspectedOperand] = []
    for word in console.arguments.operands {
      if let process = Int32(word) {
        guard process > 0 else { throw .notAProcess(word, command) }
        found.append(.process(process))
      } else {
        // A word without a slash can also be a mistyped number.
        guard word.contains("/") || RawPath.with(word, { access($0, F_OK) }) == 0 else {
          throw .notAProcess(word, command)
        }
        found.append(.core(word))
      }
    }
    return found
  }

  /// The number of the process, or nil for a core file.
  var process: Int32? { if case .process(let number) = self { number } else { nil } }
}

#if os(Linux)
  extension InspectedCore {
    /// Opens a core file. Writes why not everything is known that would be about a running process.
    static func open(_ path: String, _ console: Console) -> Result<InspectedCore, CoreFailure> {
      Result { () throws(CoreFailure) in
        let core = try InspectedCore(path, root: console.arguments[.sysroot] ?? "")
        for sentence in InspectionWords.sentences(core.doubts, core: path) {
          console.writeError("Error", sentence)
        }
        return core
      }
    }
  }
#endif

extension CoreFailure {
  var exitCode: ExitCode {
    switch self {
    case .cannotOpen: .cannotOpen
    case .notACore, .otherArchitecture, .unsupported: .cannotInspect
    case .noNotes, .unreadable: .inconclusive
    }
  }
}
