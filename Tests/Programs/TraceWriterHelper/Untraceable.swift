import Sandboxes
import SystemLibrary

/// A command in a sandbox in which no process can trace another one.
enum Untraceable {
  /// Executes a command. Doesn't return.
  static func execute(_ words: [String]) -> Never {
    guard sandbox_forbid_tracing(), let program = words.first else { exit(1) }
    var arguments = words.map { strdup($0) } + [nil]
    execv(program, &arguments)
    exit(1)
  }
}
