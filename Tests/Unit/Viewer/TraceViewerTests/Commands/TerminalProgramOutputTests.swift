import TerminalTestSupport
import TestSupport
import Testing
import ViewerTestSupport

/// Tests of the bytes that the built program writes if colors, characters or the terminal itself
/// are missing.
@Suite("The built program on a terminal: output", .ownThread)
struct TerminalProgramOutputTests {
  @Test(
    "Colors are written only if they are enabled",
    arguments: [
      (option: nil as String?, variables: [:] as [String: String], hasColor: true),
      ("--color=always", ["NO_COLOR": "1"], true), (nil, ["NO_COLOR": "1"], false),
      ("--color=never", [:], false), ("--color=never", ["COLORTERM": "truecolor"], false),
    ])
  func colors(option: String?, variables: [String: String], hasColor: Bool) throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak] + (option.map { [$0] } ?? []), environment: variables, showsLog: true)
    viewer.send("2345")
    #expect(viewer.wait(for: "FAILED"))
    #expect(Self.colorCodes(viewer.terminal.bytes).isEmpty == !hasColor)
    // The selection is visible without colors.
    #expect(viewer.screen.cells.joined().contains { $0.look.isReversed })
  }

  @Test("Only ASCII is written if requested or required by the locale", arguments: [true, false])
  func ascii(isOption: Bool) throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak] + (isOption ? ["--ascii"] : []),
      environment: isOption ? [:] : ["LANG": "C"], showsLog: true)
    viewer.send("2345")
    #expect(viewer.wait(for: "FAILED"))
    viewer.send("?")
    #expect(viewer.wait(for: "KEYS"))
    viewer.send("?/dispos\r")
    #expect(viewer.wait(for: "hit 1 of 14"))
    viewer.send("\u{1B}")
    #expect(viewer.terminal.bytes.allSatisfy { $0 < 0x80 })
  }

  @Test("A dumb terminal shows a report without escape sequences")
  func dumb() throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak], environment: ["TERM": "dumb"], columns: 120, rows: 200)
    #expect(viewer.terminal.waitForExit() == .exited(0))
    #expect(viewer.screen.text.contains("FINDINGS"))
    #expect(!viewer.terminal.bytes.contains(0x1B))
  }

  @Test("A pipe receives a report")
  func pipe() throws {
    let viewer = try ViewerTerminal(
      [BundledLog.leak], start: #""$0" "$@" | cat"#, columns: 120, rows: 200)
    #expect(viewer.terminal.waitForExit() == .exited(0))
    #expect(viewer.screen.text.contains("FINDINGS"))
    #expect(!viewer.terminal.bytes.contains(0x1B))
  }

  @Test("Keys are read from the terminal if the log is standard input", arguments: [false, true])
  func standardInput(isFile: Bool) throws {
    let start = isFile ? #"exec "$0" - <"$1""# : #"cat "$1" | "$0" -"#
    let viewer = try ViewerTerminal([BundledLog.leak], start: start, showsLog: true)
    viewer.send("/dispos\r")
    #expect(viewer.wait(for: "hit 1 of 14"))
    #expect(viewer.end(with: "qq") == .exited(0))
    viewer.expectRestored()
  }

  @Test("Control sequences in a hostile log are shown but not executed")
  func hostile() throws {
    let directory = TemporaryDirectory()
    directory.write(HostileLogTests.log, to: HostileLogTests.name)
    directory.write(HostileLog.text, to: "other")
    for name in [HostileLogTests.name, "other"] {
      let viewer = try ViewerTerminal([directory.path + "/" + name], columns: 160, rows: 60)
      #expect(viewer.wait { $0.isAlternate && $0.text.contains("? help") })
      let modes = viewer.screen.modes
      for keys in [
        "5", "4", "3", "2", "1", "z", "z", ".", "..", "\t", "jjjj", "wwww", "y", "o", "E", "e", "T",
      ] {
        viewer.send(keys)
      }
      viewer.send("?")
      #expect(viewer.wait(for: "KEYS"))
      #expect(viewer.screen.modes == modes)
      #expect(viewer.end(with: "?q") == .exited(0))
      #expect(viewer.screen.title == "" && viewer.screen.bells == 0)
      viewer.expectRestored()
      #expect(Self.harm(viewer.terminal.bytes) == [])
    }
  }

  /// Returns the codes that set a foreground or background color.
  static func colorCodes(_ bytes: [UInt8]) -> [Int] {
    var input = EmulatedInput()
    var codes: [Int] = []
    for byte in bytes {
      guard case .sequence(let text) = input.take(byte), text.last == "m" else { continue }
      codes += text.dropLast().split(separator: ";").compactMap { Int($0) }
    }
    return codes.filter { (30...49).contains($0) || (90...107).contains($0) }
  }

  /// Returns the characters that program output must not contain, except those that begin the
  /// program's own sequences.
  static func harm(_ bytes: [UInt8]) -> [UInt32] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value).filter {
      switch $0 {
      case 0x0A, 0x0D, 0x1B, 0x07: false
      case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
}
