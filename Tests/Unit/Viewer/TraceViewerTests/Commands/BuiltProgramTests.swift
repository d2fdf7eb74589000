import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

/// Tests that run the built program, because only a separate process can show the behavior.
@Suite("The built program", .ownThread)
struct BuiltProgramTests {
  @Test("The exit code depends on what the log proves")
  func exitCodes() throws {
    let clean = TemporaryFile(SampleLog.clean)
    let leak = TemporaryFile(SampleLog.leak)
    let died = TemporaryFile(SampleLog.died)
    #expect(try BuiltProgram.run("check \(clean.path)") == "no undisposed subscriptions\n0\n")
    #expect(try BuiltProgram.run("check \(leak.path) >/dev/null") == "1\n")
    #expect(try BuiltProgram.run("check \(died.path) >/dev/null") == "2\n")
    #expect(try BuiltProgram.run("check /nonexistent 2>/dev/null") == "66\n")
    #expect(try BuiltProgram.run("2>/dev/null </dev/null") == "64\n")
  }

  @Test("The program reads a pipe or a file as standard input, but not a closed one")
  func standardInput() throws {
    let leak = TemporaryFile(SampleLog.leak)
    let fromFile = try BuiltProgram.run("--ascii - < \(leak.path)")
    #expect(fromFile.contains("FINDINGS  1 finding: 1 undisposed subscription"))
    #expect(try BuiltProgram.run("--ascii -", before: "cat \(leak.path) | ") == fromFile)
    #expect(try BuiltProgram.run("check - <&- 2>/dev/null") == "66\n")
  }

  @Test("The program reads more compressed files than it can keep open")
  func manyFiles() throws {
    let leak = TemporaryFile(SampleLog.leak)
    let directory = TemporaryDirectory()
    let packed = directory.path + "/leak.gz"
    let names = (0..<150).map { "\(directory.path)/\($0).gz" }
    for name in names { try #require(symlink(packed, name) == 0) }
    let result = try BuiltProgram.run(
      "check \(names.joined(separator: " ")) >/dev/null 2>&1",
      before: "gzip -c '\(leak.path)' > '\(packed)'; ulimit -n 128; ")
    #expect(result == "1\n")
  }

  @Test(
    "A compressed log needs its program, which a relative folder of PATH doesn't provide",
    arguments: [
      ("gzip", [0x1F, 0x8B]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
      ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    ] as [(String, [UInt8])])
  func missingProgram(program: String, magic: [UInt8]) throws {
    let log = TemporaryFile(bytes: magic)
    let directory = TemporaryDirectory([program: "#!/bin/sh\necho"])
    #expect(chmod(directory.path + "/" + program, 0o700) == 0)
    let result = try BuiltProgram.run(
      "check \(log.path) 2>&1", before: "cd '\(directory.path)'; PATH=.: ")
    #expect(
      result == """
        Error: \(log.path): The log is compressed, and the program \(program), which decompresses \
        it, is not in a folder of PATH. Install \(program).
        66

        """)
  }

  @Test("How a program ended is known although the parent process ignores SIGCHLD")
  func ignoredSignal() throws {
    let leak = TemporaryFile(SampleLog.leak)
    for (part, code) in [("", "1"), (" | head -c -3", "65")] {
      let result = try BuiltProgram.run(
        "check --strict - >/dev/null 2>&1",
        before: "trap '' CHLD PIPE; gzip -c '\(leak.path)'\(part) | ")
      #expect(result == code + "\n")
    }
  }

  @Test(
    "A baseline that can't be written is left unchanged, and the program exits with an error",
    .enabled(if: !isSanitized, "a sanitizer takes signals for itself"))
  func noRoom() throws {
    let leak = TemporaryFile(SampleLog.leak)
    let known = #"{"format": "trace-viewer-baseline", "version": 1, "findings": []}"#
    let directory = TemporaryDirectory(["known.json": known])
    let options = "--baseline=\(directory.path)/known.json --write-baseline"
    let code = try BuiltProgram.run(
      "check \(options) \(leak.path) >/dev/null 2>&1", before: "ulimit -f 0; ")
    #expect(code == "74\n")
    #expect(directory.text("known.json") == known)
    #expect(directory.text("known.json.part") == nil)
  }

  @Test(
    "The program fails if standard output can't be written",
    .enabled(if: access("/dev/full", W_OK) == 0))
  func outputErrors() throws {
    let clean = TemporaryFile(SampleLog.clean)
    let full = try BuiltProgram.run("check \(clean.path) 2>&1 >/dev/full")
    #expect(full == "Error: Standard output cannot be written: No space left on device.\n74\n")
    #expect(try BuiltProgram.run("check \(clean.path) 2>/dev/null >&-") == "74\n")
  }

  @Test("The program starts in a terminal")
  func terminal() throws {
    let terminal = try PseudoTerminal(viewer: "--version")
    #expect(terminal.wait(for: "trace-viewer"))
    #expect(terminal.waitForExit() == .exited(0))
  }
}

extension BuiltProgram {
  static let path = path(of: "trace-viewer")

  /// Returns the output of a shell command that contains the program, followed by its exit code.
  static func run(_ arguments: String, before: String = "") throws -> String {
    String(decoding: try bytes(arguments, before: before), as: UTF8.self)
  }

  /// Returns the same output as bytes, which need not be text.
  static func bytes(_ arguments: String, before: String = "") throws -> [UInt8] {
    let command = "\(before)'\(path)' \(arguments); echo $?"
    return try ChildProcess("/bin/sh", ["-c", command]).finish().output
  }
}
