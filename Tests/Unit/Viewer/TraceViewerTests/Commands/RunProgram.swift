import TestSupport
import Testing

@testable import ViewerConsole

/// The built `trace-viewer run` in a temporary folder.
struct RunProgram {
  let directory = TemporaryDirectory([".git": ""])

  /// The path of a traced program.
  static let helper = BuiltProgram.path(of: "TraceWriterHelper")

  var temporary: String { directory.path + "/tmp" }

  init() {
    directory.write("", to: "tmp/.keep")
  }

  struct Result {
    let code: Int32
    let output: String
    let errors: String
  }

  /// Runs `trace-viewer run` with these words in a shell. `$HELPER` is a traced program, and
  /// `$VIEWER` is the viewer.
  func run(
    _ words: String, before: String = "", after: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    try shell(#"\#(before)"$VIEWER" run \#(words)\#(after)"#, sourceLocation: sourceLocation)
  }

  /// Runs a shell command. Fails if a folder of logs remains.
  func shell(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Result {
    let (ending, output, errors) = try ChildProcess(
      "/bin/sh", ["-c", "cd '\(directory.path)'\n" + script], environment: environment,
      sourceLocation: sourceLocation
    ).finish()
    #expect(leftovers == [], sourceLocation: sourceLocation)
    let code: Int32 = if case .exited(let code) = ending { code } else { -1 }
    return Result(
      code: code, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// The folders of logs that were not removed.
  var leftovers: [String] {
    DirectoryListing.read(temporary).map(\.name).filter { $0 != ".keep" }
  }

  var environment: [String: String?] {
    [
      "VIEWER": BuiltProgram.path, "HELPER": RunProgram.helper, "TMPDIR": temporary,
      "REACTIVE_TRACE": nil, "LC_ALL": "C.UTF-8", "GITHUB_ACTIONS": nil,
      "GITHUB_STEP_SUMMARY": nil, "SWIFT_BACKTRACE": "enable=no",
    ]
  }
}
