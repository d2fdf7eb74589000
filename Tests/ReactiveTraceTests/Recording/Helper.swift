import Foundation
import Testing

/// The process `TraceWriterHelper`, run by a test.
final class Helper {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ arguments: [String], trace: String?, _ settings: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
    process.environment?["REACTIVE_TRACE"] = trace
    // A crash report takes seconds.
    process.environment?["SWIFT_BACKTRACE"] = "enable=no"
    for (name, value) in settings { process.environment?[name] = value }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Beside the tests, whatever the build folder is.
  private static var path: String {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("TraceWriterHelper")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
      folder.deleteLastPathComponent()
    }
    return "TraceWriterHelper"
  }

  /// Waits until it has written so many bytes, then kills it in the middle of whatever it does.
  func kill(afterBytes count: Int) throws {
    var read = 0
    while read < count {
      let data = try #require(try output.fileHandleForReading.read(upToCount: count - read))
      read += data.count
    }
    #expect(Foundation.kill(process.processIdentifier, SIGKILL) == 0)
    process.waitUntilExit()
  }

  /// Waits until it has written so many bytes, kills it, and returns all that it had written.
  func kill(reading count: Int) throws -> String {
    var data = Data()
    while data.count < count {
      data += try #require(try output.fileHandleForReading.read(upToCount: count - data.count))
    }
    #expect(Foundation.kill(process.processIdentifier, SIGKILL) == 0)
    data += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// Waits for its end, whichever that is: the signal, or the exit code as a negative number.
  func end() throws -> (signal: Int32, output: String) {
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    _ = try errors.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    let status = process.terminationStatus
    return (
      process.terminationReason == .exit ? -status : status, String(decoding: text, as: UTF8.self)
    )
  }

  /// Waits for its exit, and returns what it said.
  func finish() throws -> (status: Int32, output: String, errors: String) {
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : -1,
      String(decoding: text, as: UTF8.self), String(decoding: complaints, as: UTF8.self)
    )
  }
}
