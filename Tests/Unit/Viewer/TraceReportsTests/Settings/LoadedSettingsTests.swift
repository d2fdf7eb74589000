import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerCommandLine
@testable import ViewerConsole

@Suite("LoadedSettings")
struct LoadedSettingsTests {
  private func load(
    _ arguments: String..., in directory: String = "", home: String? = nil,
    says: Output? = nil
  ) throws(UsageError) -> LoadedSettings {
    var console = Console.inMemory(
      environment: home.map { ["HOME": $0] } ?? [:], directory: directory, error: says)
    console.arguments = try ArgumentParser.parse(
      ["check"] + arguments + ["a.jsonl"], fileExists: { _ in true })
    return try LoadedSettings.load(console)
  }

  private func error(_ arguments: String..., in directory: String = "") -> UsageError? {
    do throws(UsageError) {
      _ = try load(arguments[0], arguments.count > 1 ? arguments[1] : "--ascii", in: directory)
      return nil
    } catch {
      return error
    }
  }

  @Test("Without a settings file and options, the default settings apply")
  func nothing() throws {
    let settings = try load()
    #expect(settings.rules == RuleSettings())
    #expect(settings.failOn == .error)
    #expect(settings.baseline == nil)
  }

  @Test("Options are merged with the nearest settings file")
  func layers() throws {
    let directory = TemporaryDirectory([
      ".trace-viewer.json": """
      {"failOn": "any", "rules": {"growth": {"level": "warning", "min": 5}, "silent": "off"},
       "maxActive": {"*": 1}, "allow": ["file"], "main": ["ui"], "baseline": "known.json"}
      """,
      "a/b/.keep": "",
    ])
    let settings = try load(
      "--rule=growth.min=7", "--rule=burst=error", "--max-active=a=3", "--fail-on=warning",
      "--allow=option", "--main=view", in: directory.path + "/a/b")
    var rules = RuleSettings()
    rules.levels = ["growth": .warning, "silent": .off, "burst": .error]
    rules.thresholds = ["growth": ["min": 7]]
    rules.limits = [
      .init(lanes: GlobPattern("*"), maxCount: 1), .init(lanes: GlobPattern("a"), maxCount: 3),
    ]
    rules.allowances = [.init(lanes: GlobPattern("file")), .init(lanes: GlobPattern("option"))]
    rules.mainLanes = [GlobPattern("ui"), GlobPattern("view")]
    #expect(settings.rules == rules)
    #expect(settings.failOn == .warning)
    #expect(settings.baseline == directory.path + "/known.json")
    #expect(try load("--baseline=x", in: directory.path).baseline == "x")
    #expect(try load("--no-config", in: directory.path).rules == RuleSettings())
  }

  @Test("A named settings file replaces the nearest one")
  func named() throws {
    let directory = TemporaryDirectory([
      ".trace-viewer.json": #"{"failOn": "any"}"#, "other.json": #"{"failOn": "warning"}"#,
    ])
    let settings = try load("--config=\(directory.path)/other.json", in: directory.path)
    #expect(settings.failOn == .warning)
  }

  @Test("The lanes of a limit can contain an equals sign")
  func limits() throws {
    let limits = try load("--max-active", "x=y=2", "--max-active=z=0").rules.limits
    #expect(limits.map(\.lanes.text) == ["x=y", "z"])
    #expect(limits.map(\.maxCount) == [2, 0])
  }

  @Test("An allowed source applies to all lanes, or only to the allowed lanes")
  func sources() throws {
    let all = try load("--allow-source=A/*", "--allow-source=B/*").rules.allowances
    #expect(all.map(\.lanes.text) == ["*", "*"])
    #expect(all.map { $0.source?.text } == ["A/*", "B/*"])
    let some = try load("--allow=x", "--allow-source=A/*", "--allow=y").rules.allowances
    #expect(some.map(\.lanes.text) == ["x", "y"])
    #expect(some.map { $0.source?.text } == ["A/*", "A/*"])
  }

  @Test("An error in a settings file has its path and line")
  func wrongFile() {
    let directory = TemporaryDirectory([
      ".trace-viewer.json":
        "{\n  \"failOn\": \"any\",\n  \"rules\": {\n    \"grwth\": \"off\"\n  }\n}"
    ])
    let error = error("--ascii", in: directory.path)
    #expect(error?.code == .wrongFile)
    #expect(error?.exitCode == .usage)
    #expect(
      error?.sentence.hasPrefix(
        "\(directory.path)/.trace-viewer.json:4: '.rules.grwth' is not a known rule") == true)
  }

  @Test("The path of the settings file is printed")
  func used() throws {
    let directory = TemporaryDirectory([".trace-viewer.json": "{}", "a/x.json": "{}"])
    let said = Output(descriptor: nil)
    let settings = try load("--ascii", in: directory.path + "/a", says: said)
    #expect(settings.file == "\(directory.path)/.trace-viewer.json")
    #expect(said.text == "Settings: \(directory.path)/.trace-viewer.json\n")
    let named = Output(descriptor: nil)
    _ = try load("--config=\(directory.path)/a/x.json", in: directory.path, says: named)
    #expect(named.text == "Settings: \(directory.path)/a/x.json\n")
    let none = Output(descriptor: nil)
    #expect(try load("--no-config", in: directory.path, says: none).file == nil)
    #expect(none.text.isEmpty)
  }

  #if os(Linux)
    @Test("Settings work in a folder whose name isn't UTF-8")
    func rawNames() throws {
      let directory = TemporaryDirectory()
      let folder = RawPath.make(Array(directory.path.utf8) + [0x2F, 0x64, 0xE9])
      try #require(RawPath.with(folder) { mkdir($0, 0o755) } == 0)
      defer { _ = RawPath.with(folder) { rmdir($0) } }
      let path = folder + "/.trace-viewer.json"
      let text = #"{"failOn": "any", "baseline": "known.json"}"#
      #expect(OutputFile.write(to: path) { $0.write(text) } == nil)
      defer { _ = RawPath.with(path) { unlink($0) } }
      let settings = try load("--ascii", in: folder)
      #expect(settings.failOn == .any)
      #expect(settings.baseline == folder + "/known.json")
    }
  #endif

  @Test("Settings above the home directory are ignored, even if it is a link")
  func home() throws {
    let directory = TemporaryDirectory([".trace-viewer.json": "{}", "home/a/x": ""])
    let inside = directory.path + "/home/a"
    #expect(try load("--ascii", in: inside, home: directory.path + "/home").file == nil)
    #expect(symlink("home", directory.path + "/link") == 0)
    defer { unlink(directory.path + "/link") }
    #expect(try load("--ascii", in: inside, home: directory.path + "/link").file == nil)
    #expect(try load("--ascii", in: inside, home: directory.path).file != nil)
  }

  @Test(
    "Settings that belong to another user are ignored with a message",
    .enabled(if: geteuid() == 0))
  func foreignFile() throws {
    let directory = TemporaryDirectory([".trace-viewer.json": "{}", "a/x": ""])
    #expect(chown(directory.path + "/.trace-viewer.json", 12345, 12345) == 0)
    let said = Output(descriptor: nil)
    #expect(try load("--ascii", in: directory.path + "/a", says: said).file == nil)
    #expect(said.text.contains(".trace-viewer.json: The file belongs to another user"))
  }

  @Test("The viewer rejects a settings file that is a pipe, a device or a link")
  func specialFiles() {
    let directory = TemporaryDirectory(["a/x": "", "secret": "ghp_secret"])
    let path = directory.path + "/a/.trace-viewer.json"
    #expect(mkfifo(path, 0o600) == 0)
    let pipe = error("--ascii", in: directory.path + "/a")
    #expect(pipe?.exitCode == .cannotOpen)
    #expect(pipe?.sentence.contains("a pipe or a device") == true)
    unlink(path)
    #expect(error("--config=/dev/zero")?.sentence.contains("a pipe or a device") == true)
    #expect(symlink("../secret", path) == 0)
    defer { unlink(path) }
    let link = error("--ascii", in: directory.path + "/a")
    #expect(link?.sentence.contains("a link to a file outside its folder") == true)
    #expect(link?.sentence.contains("ghp") == false)
  }

  @Test("An invalid option or a missing settings file is an error")
  func wrongOptions() {
    #expect(error("--rule=growth.mim=3")?.code == .wrongValue)
    #expect(error("--rule=growth.mim=3")?.sentence.contains("Did you mean 'min'?") == true)
    let missing = error("--config=/nonexistent/x.json")
    #expect(missing?.exitCode == .cannotOpen)
    #expect(
      missing?.sentence
        == "/nonexistent/x.json: There is no such settings file. Check the path.")
    #expect(error("--config=/")?.sentence.hasPrefix("/: The file cannot be read: ") == true)
    #expect(error("--config=x", "--no-config")?.code == .wrongValue)
  }
}
