import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import ViewerConsole

@Suite("trace-viewer check with a baseline")
struct CheckBaselineTests {
  private let directory = TemporaryDirectory([
    "leak.jsonl": SampleLog.leak, "clean.jsonl": SampleLog.clean, "died.jsonl": SampleLog.died,
  ])

  private func check(_ log: String, _ options: String...) -> RunResult {
    run(
      ["check", "--baseline=\(directory.path)/known.json"] + options + ["\(directory.path)/\(log)"])
  }

  private func write(_ entries: String...) {
    let text = """
      {"format": "trace-viewer-baseline", "version": 1, "findings": [
      \(entries.joined(separator: ",\n"))]}
      """
    directory.write(text, to: "known.json")
  }

  private func entry(_ lane: String, _ count: Int, reason: String = "") -> String {
    #"{"rule": "undisposed", "lane": "\#(lane)", "file": "App/Model.swift", "function": "bind()", "#
      + #""count": \#(count), "reason": "\#(reason)"}"#
  }

  private var head: String {
    "{\n  \"format\": \"trace-viewer-baseline\",\n  \"version\": 1,\n  \"findings\": ["
  }

  @Test("A check writes a baseline and passes with it later")
  func writing() {
    let written = check("leak.jsonl", "--write-baseline")
    #expect(written.code == .clean)
    #expect(
      written.lines == [
        "1 known finding ignored, listed in the baseline \(directory.path)/known.json",
        "wrote 1 entry to the baseline \(directory.path)/known.json",
        "no undisposed subscriptions except known ones",
      ])
    #expect(directory.text("known.json") == "\(head)\n    \(entry("request", 1))\n  ]\n}\n")
    let checked = check("leak.jsonl")
    #expect(checked.code == .clean)
    #expect(checked.lines.count == 2)
  }

  @Test("A check doesn't fail because of entries for consequences, and pruning removes them")
  func consequences() {
    directory.write(
      SampleLog.make([
        SampleLog.subscribe(1, "root", at: 1),
        SampleLog.subscribe(2, "query", at: 2, #","parent":1"#),
      ]), to: "chain.jsonl")
    write(entry("query", 1), entry("root", 1))
    let result = check("chain.jsonl")
    #expect(result.code == .clean)
    #expect(!result.out.contains("stale"))
    #expect(check("chain.jsonl", "--prune-baseline").code == .clean)
    #expect(directory.text("known.json") == "\(head)\n    \(entry("root", 1))\n  ]\n}\n")
    #expect(check("chain.jsonl").code == .clean)
  }

  @Test("A check fails if there is a finding that isn't in the baseline")
  func new() {
    write(entry("results", 1))
    let result = check("leak.jsonl", "--allow-stale")
    #expect(result.code == .findings)
    #expect(result.lines[1].hasPrefix("error[undisposed]  9tb1pb  request"))
    #expect(result.lines.last == "1 finding: 1 undisposed subscription, 1 stale baseline entry")
  }

  @Test("A check fails because of a stale entry, names it and says what to do")
  func stale() {
    write(entry("request", 3), entry("results", 1))
    let result = check("leak.jsonl")
    #expect(result.code == .findings)
    #expect(
      result.lines == [
        "stale[undisposed]  request  App/Model.swift  bind(): the baseline has 3, only 1 was found",
        "stale[undisposed]  results  App/Model.swift  bind(): the baseline has 1, none was found",
        "    Shrink the baseline with --prune-baseline --baseline=\(directory.path)/known.json",
        "1 known finding ignored, listed in the baseline \(directory.path)/known.json",
        "no undisposed subscriptions except known ones, 2 stale baseline entries",
      ])
    #expect(check("leak.jsonl", "--allow-stale").code == .clean)
  }

  @Test("Pruning removes stale entries, keeps reasons and never adds entries")
  func pruning() {
    write(entry("request", 3, reason: "ticket 7"), entry("results", 1))
    let result = check("leak.jsonl", "--prune-baseline")
    #expect(result.code == .clean)
    let pruned = "\(head)\n    \(entry("request", 1, reason: "ticket 7"))\n  ]\n}\n"
    #expect(directory.text("known.json") == pruned)
    #expect(check("clean.jsonl", "--prune-baseline").code == .clean)
    #expect(directory.text("known.json") == "\(head)]\n}\n")
    #expect(check("leak.jsonl", "--prune-baseline").code == .findings)
    #expect(directory.text("known.json") == "\(head)]\n}\n")
  }

  @Test("An incomplete log doesn't make entries stale or prune the baseline")
  func incomplete() {
    write(entry("request", 3), entry("results", 1))
    let before = directory.text("known.json")
    let result = check("died.jsonl")
    #expect(result.code == .inconclusive)
    #expect(!result.out.contains("stale"))
    let pruned = check("died.jsonl", "--prune-baseline")
    #expect(pruned.code == .inconclusive)
    #expect(
      pruned.error.hasPrefix("Warning: \(directory.path)/known.json: The baseline was not changed"))
    #expect(directory.text("known.json") == before)
  }

  @Test("An incomplete log adds only proven findings to a baseline and removes no entries")
  func incompleteWriting() {
    write(entry("results", 2, reason: "why"))
    #expect(check("died.jsonl", "--write-baseline").code == .inconclusive)
    let kept = "\(head)\n    \(entry("results", 2, reason: "why"))\n  ]\n}\n"
    #expect(directory.text("known.json") == kept)
    #expect(check("died.jsonl", "--write-baseline", "--fail-on=any").code == .inconclusive)
    #expect(directory.text("known.json")?.contains("request") == true)
  }

  @Test("A baseline isn't changed if a log can't be read")
  func unreadable() {
    write(entry("results", 2))
    let before = directory.text("known.json")
    let result = run(
      "check", "--baseline=\(directory.path)/known.json", "--write-baseline",
      "\(directory.path)/leak.jsonl", "/nonexistent/a")
    #expect(result.code == .cannotOpen)
    #expect(result.error.contains("was not changed, because a log could not be read"))
    #expect(directory.text("known.json") == before)
  }

  @Test("A baseline that can't be written is left unchanged, and the check fails")
  func unwritable() throws {
    write(entry("results", 2, reason: "why"))
    let before = directory.text("known.json")
    let part = directory.path + "/known.json.part"
    // A folder with this name prevents writing the file.
    try #require(mkdir(part, 0o755) == 0)
    defer { rmdir(part) }
    for option in ["--write-baseline", "--prune-baseline"] {
      let text = check("leak.jsonl", option, "--allow-stale")
      #expect(text.code == .cannotWrite)
      #expect(text.error.contains("known.json: The file cannot be written"))
      #expect(!text.out.contains("wrote"))
      #expect(!text.out.contains("entries now"))
      #expect(text.lines[1].hasPrefix("error[undisposed]  9tb1pb  request"))
      let json = check("leak.jsonl", option, "--allow-stale", "-f", "json")
      #expect(json.out.contains(#""outcome": "findings""#))
      #expect(json.out.contains(#""exitCode": 74"#))
    }
    #expect(directory.text("known.json") == before)
  }

  @Test("A baseline is replaced atomically, keeps its mode and can be a symbolic link")
  func replacing() throws {
    write(entry("results", 2, reason: "why"))
    let path = directory.path + "/known.json"
    try #require(chmod(path, 0o640) == 0)
    try #require(symlink("known.json", directory.path + "/link.json") == 0)
    let log = directory.path + "/leak.jsonl"
    #expect(
      run("check", "--baseline=\(directory.path)/link.json", "--write-baseline", log).code == .clean
    )
    #expect(directory.text("known.json")?.contains("request") == true)
    #expect(directory.text("known.json.part") == nil)
    var status = stat()
    #expect(lstat(directory.path + "/link.json", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test("A check doesn't report entries that it didn't write")
  func unsaid() {
    write(entry("results", 2))
    let missing = run(
      "check", "--baseline=\(directory.path)/new.json", "--write-baseline",
      "\(directory.path)/leak.jsonl", "/nonexistent/a")
    #expect(!missing.out.contains("wrote"))
    let died = check("died.jsonl", "--prune-baseline")
    #expect(died.error.contains("The baseline was not changed"))
    #expect(!died.out.contains(" now"))
  }

  @Test("An invalid baseline or baseline option is an error")
  func errors() {
    #expect(check("leak.jsonl").code == .cannotOpen)
    directory.write("{\n\"format\": 3}", to: "known.json")
    let wrong = check("leak.jsonl", "--write-baseline")
    #expect(wrong.code == .usage)
    #expect(
      wrong.error
        == "Error: \(directory.path)/known.json:2: '.format' must be a string, not 3 (line 2).\n")
    let log = "\(directory.path)/leak.jsonl"
    for option in ["--write-baseline", "--prune-baseline", "--allow-stale"] {
      let result = run("check", option, log)
      #expect(result.code == .usage)
      #expect(result.error.contains("'\(option)' needs a baseline: --baseline=FILE"))
    }
    #expect(check("leak.jsonl", "--write-baseline", "--prune-baseline").code == .usage)
    let unwritable = run("check", "--baseline=/nonexistent/b", "--write-baseline", log)
    #expect(unwritable.code == .cannotWrite)
  }

  @Test("The path of a baseline in the settings is relative to the settings file")
  func settings() {
    directory.write(#"{"baseline": "ci/known.json"}"#, to: ".trace-viewer.json")
    directory.write("", to: "ci/.keep")
    let log = "\(directory.path)/leak.jsonl"
    #expect(run("check", "--write-baseline", log, directory: directory.path + "/ci").code == .clean)
    #expect(directory.text("ci/known.json") != nil)
    #expect(run("check", log, directory: directory.path).code == .clean)
  }

  @Test("A baseline from the settings never shows other files or writes outside the folder")
  func foreignFiles() {
    let log = "\(directory.path)/leak.jsonl"
    directory.write("ghp_secret\n", to: "project/token")
    directory.write("outside", to: "outside.json")
    for baseline in ["token", "../outside.json", "/etc/passwd", "link", "new-link", "fifo"] {
      directory.write("{\"baseline\": \"\(baseline)\"}", to: "project/.trace-viewer.json")
      symlink("../outside.json", directory.path + "/project/link")
      symlink("../made.json", directory.path + "/project/new-link")
      mkfifo(directory.path + "/project/fifo", 0o600)
      defer {
        for name in ["link", "new-link", "fifo"] { unlink("\(directory.path)/project/\(name)") }
      }
      for options in [[], ["--write-baseline"]] {
        let result = run(["check"] + options + [log], directory: directory.path + "/project")
        #expect([.usage, .cannotOpen].contains(result.code), "\(baseline) \(options)")
        for secret in ["ghp", "root", "secret"] { #expect(!result.error.contains(secret)) }
      }
    }
    #expect(directory.text("outside.json") == "outside")
    #expect(directory.text("made.json") == nil)
  }

  #if os(Linux)
    @Test("Baselines work in a folder whose name isn't UTF-8")
    func rawNames() throws {
      let directory = TemporaryDirectory()
      let folder = RawPath.make(Array(directory.path.utf8) + [0x2F, 0x64, 0xE9])
      try #require(RawPath.with(folder) { mkdir($0, 0o755) } == 0)
      defer { _ = RawPath.with(folder) { rmdir($0) } }
      let path = folder + "/.trace-viewer.json"
      #expect(OutputFile.write(to: path) { $0.write(#"{"baseline": "known.json"}"#) } == nil)
      defer { _ = RawPath.with(path) { unlink($0) } }
      let log = TemporaryFile(SampleLog.leak)
      let known = folder + "/known.json"
      defer { _ = RawPath.with(known) { unlink($0) } }
      let written = run("check", "--write-baseline", log.path, directory: folder)
      #expect(written.code == .clean)
      #expect(written.out.contains(#"d\xE9/known.json"#))
      guard case .bytes(let bytes) = InputFile.read(known) else {
        Issue.record("the baseline is missing")
        return
      }
      let kept = String(decoding: bytes, as: UTF8.self)
        .replacing("\"reason\": \"\"", with: "\"reason\": \"why\"")
      #expect(OutputFile.write(to: known) { $0.write(kept) } == nil)
      #expect(run("check", "--write-baseline", log.path, directory: folder).code == .clean)
      #expect(InputFile.read(known) == .bytes(Array(kept.utf8)))
    }
  #endif

  @Test("An entry about a lane that did not occur is neither stale nor pruned, and doesn't fail")
  func subset() {
    write(entry("request", 1), entry("elsewhere", 2), entry("results", 1))
    let result = check("leak.jsonl")
    #expect(result.code == .findings)
    #expect(result.out.contains("stale[undisposed]  results"))
    #expect(!result.out.contains("elsewhere"))
    write(entry("request", 1), entry("elsewhere", 2))
    let part = check("leak.jsonl")
    #expect(part.code == .clean)
    #expect(part.out.contains("1 baseline entry is about a lane that did not occur, and stays\n"))
    #expect(check("leak.jsonl", "-f", "json").out.contains(#""unknown": 1"#))
    #expect(check("leak.jsonl", "--prune-baseline").code == .clean)
    #expect(check("leak.jsonl", "--write-baseline").code == .clean)
    #expect(
      directory.text("known.json")
        == "\(head)\n    \(entry("elsewhere", 2)),\n    \(entry("request", 1))\n  ]\n}\n")
  }

  @Test("A check for one finding ignores the others and the stale entries")
  func chosen() {
    write(entry("results", 1))
    #expect(check("leak.jsonl", "--finding=9TB1PB").code == .findings)
    #expect(
      check("leak.jsonl", "--finding=9tb1pb").lines.last == "1 finding: 1 undisposed subscription")
    let unknown = check("leak.jsonl", "--finding=9tb1pb", "--finding=000000")
    #expect(unknown.code == .usage)
    #expect(unknown.error.contains("Invalid value '000000' for '--finding'."))
    #expect(check("leak.jsonl", "--finding=9tb1pb", "--write-baseline").code == .usage)
    write(entry("request", 1))
    let known = check("leak.jsonl", "--finding=9tb1pb")
    #expect(known.code == .clean)
    #expect(known.out.contains("1 known finding ignored"))
  }
}
