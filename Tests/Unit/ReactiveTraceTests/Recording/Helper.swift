import Foundation
import TestSupport
import Testing

/// A process that a test starts. By default, it runs `TraceWriterHelper`.
final class Helper {
  private let process: ChildProcess

  init(
    _ arguments: [String], trace: String?, _ settings: [String: String] = [:],
    program: String = path,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // A crash report takes seconds.
    var environment = ["REACTIVE_TRACE": trace, "SWIFT_BACKTRACE": "enable=no"]
    for (name, value) in settings { environment[name] = value }
    process = try ChildProcess(
      program, arguments, environment: environment, sourceLocation: sourceLocation)
  }

  /// Runs the process with all observations traced, repeatedly until it has looked up the names of
  /// all locations. A lookup is limited to a second, which is too short on a busy machine. So are
  /// the two seconds for explanations.
  static func finishWithNames(
    _ arguments: [String], trace: String
  ) throws -> (status: Int32, output: String, errors: String) {
    let settings = ["REACTIVE_TRACE_ALL": "1", "REACTIVE_TRACE_EXPLAIN": "60"]
    for _ in 0..<20 {
      let result = try Helper(arguments, trace: trace, settings).finish()
      if !result.errors.contains("than can be read in a second") { return result }
    }
    return try Helper(arguments, trace: trace, settings).finish()
  }

  static let path = path(of: "TraceWriterHelper")

  /// Returns the path of a program that is built with the tests.
  static func path(of program: String) -> String { BuiltProgram.path(of: program) }

  /// Waits until the process has written `count` bytes, kills it, and returns its whole output.
  @discardableResult
  func kill(afterBytes count: Int) throws -> String {
    let (ending, bytes) = process.kill(afterBytes: count)
    try #require(bytes.count >= count, "the helper ended by itself")
    #expect(ending == .killed(by: SIGKILL))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for the process to end, and returns its output and the signal. An exit code is returned
  /// as a negative signal.
  func end() -> (signal: Int32, output: String, errors: String) {
    let (ending, output, errors) = process.finish()
    let signal =
      switch ending {
      case .exited(let code): -code
      case .killed(let signal): signal
      }
    return (
      signal, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self)
    )
  }

  /// Waits for the process to exit, and returns its output. If it was killed, the status is -1.
  func finish() -> (status: Int32, output: String, errors: String) {
    let end = end()
    return (end.signal <= 0 ? -end.signal : -1, end.output, end.errors)
  }
}
