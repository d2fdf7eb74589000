import SystemLibrary
import TestSupport

/// A namespace for starting programs that have their own terminal.
package enum TerminalProcess {
  /// Returns the process, and a descriptor that reaches its end when the process and all of its
  /// children have ended.
  package static func start(
    _ path: String, _ arguments: [String], _ environment: [String: String], terminal: String
  ) throws -> (process: Int32, over: Int32) {
    let ends = try Spawner.pipe()
    defer { close(ends.write) }
    do {
      let process = try Spawner.start(
        path, arguments, environment: environment,
        files: [
          (0, .path(terminal)), (1, .descriptor(0)), (2, .descriptor(0)),
          (3, .descriptor(ends.write)),
        ],
        newSession: true)
      return (process, ends.read)
    } catch {
      close(ends.read)
      throw error
    }
  }
}
