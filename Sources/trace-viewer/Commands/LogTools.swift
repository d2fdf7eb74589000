import SystemLibrary
import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceReports
import TraceWords
import ViewerCommandLine
import ViewerConsole

/// Runs the tools of `trace-viewer mcp`.
///
/// Each call reads its logs anew, because they may grow, and keeps nothing. A tool that is also a
/// command runs that command with its output in memory.
struct LogTools {
  private let console: Console
  private let arguments: ParsedArguments

  /// The maximum number of logs of a folder.
  private static let maxLogs = 1000
  /// The maximum number of bytes of messages in a result.
  private static let maxMessages = 600
  /// The options of `mcp` that apply to its tools.
  private static let shared: Set<OptionSpec.Name> = [
    .rule, .maxActive, .allow, .allowSource, .main, .config, .noConfig,
  ]

  init(_ console: Console) {
    self.console = console
    arguments = console.arguments.only(Self.shared)
  }

  /// Returns the settings that options and files choose.
  static func settings(_ console: Console) throws(UsageError) -> LoadedSettings {
    try LoadedSettings.load(console)
  }

  /// Returns the texts of the result: JSON or text, and messages about the logs if there are any.
  func run(_ call: ToolCall) -> Result<[String], ToolError> {
    do throws(ToolError) {
      guard let tool = LogTool(rawValue: call.tool) else { throw ToolError("No such tool.") }
      switch tool {
      case .findings: return .success(try check(call))
      case .explain: return .success(try explain(call))
      case .compare: return .success(try compare(call))
      case .statistics: return .success(try statistics(call))
      case .search: return .success(try search(call))
      case .tasks: return .success(try tasks(call))
      }
    } catch {
      return .failure(error)
    }
  }

  // MARK: Tools

  private func check(_ call: ToolCall) throws(ToolError) -> [String] {
    let inner = console(.check, try logs(call, "log")) { arguments in
      arguments.set(.format, CheckFormat.json.name)
      arguments.set(.budget, "\(budget(call))")
      if call.flags["values"] == true { arguments.set(.values) }
    }
    return try result(inner) { inner throws(UsageError) in try CheckCommand.run(inner) }
  }

  private func explain(_ call: ToolCall) throws(ToolError) -> [String] {
    let inner = console(.explain, try logs(call, "log") + [call.texts["id"] ?? ""]) { arguments in
      arguments.set(.format, ExplainFormat.json.name)
      if call.flags["values"] == true { arguments.set(.values) }
    }
    return try result(inner) { inner throws(UsageError) in try ExplainCommand.run(inner) }
  }

  private func compare(_ call: ToolCall) throws(ToolError) -> [String] {
    let (old, new) = (try logs(call, "old"), try logs(call, "new"))
    let tokens = budget(call)
    let inner = console(.diff, []) { _ in }
    return try result(inner) { inner throws(UsageError) in
      let settings = try LoadedSettings.load(inner)
      let opened = [OpenedLogs(LogPaths(old), inner), OpenedLogs(LogPaths(new), inner)]
      guard opened.allSatisfy(\.isUsable) else {
        return opened.lazy.compactMap(\.failure).first ?? .notALog
      }
      let sides = zip(["old", "new"], opened).map { name, opened in
        LogDiff.Side(
          name: name, log: opened.analysis, verdict: Verdict(opened.analysis, settings.rules))
      }
      let diff = LogDiff(old: sides[0], new: sides[1], failOn: settings.failOn) { _ in true }
      inner.out.output.write(BriefDiff(diff, inner).text(tokens: tokens))
      return .clean
    }
  }

  private func statistics(_ call: ToolCall) throws(ToolError) -> [String] {
    let tokens = budget(call)
    let inner = console(.report, try logs(call, "log")) { _ in }
    return try read(inner) { opened, verdict, inner in
      inner.out.output.write(BriefStatistics(opened.analysis, verdict).text(tokens: tokens))
    }
  }

  private func search(_ call: ToolCall) throws(ToolError) -> [String] {
    var filter = LogFilter()
    do throws(QueryError) {
      filter.query = try Query(call.texts["query"] ?? "")
    } catch {
      throw ToolError("'query': \(error.sentence)")
    }
    let tokens = budget(call)
    let inner = console(.report, try logs(call, "log")) { _ in }
    return try read(inner) { [filter] opened, verdict, inner in
      do throws(LogError) {
        let excerpt = try filter.excerpt(of: opened.analysis, QueryFacts(verdict.findings))
        inner.out.output.write(BriefSubscriptions(excerpt, verdict, inner).text(tokens: tokens))
      } catch {
        _ = OpenedLogs.report(error, inner)
      }
    }
  }

  private func tasks(_ call: ToolCall) throws(ToolError) -> [String] {
    let inner = console(.tasks, ["\(call.integers["pid"] ?? 0)"]) { _ in }
    let texts = try result(inner) { inner throws(UsageError) in try TasksCommand.run(inner) }
    return texts.map { Self.beginning(of: $0, maxBytes: budget(call) * 4) }
  }

  // MARK: Commands

  private func budget(_ call: ToolCall) -> Int { call.integers["budget"] ?? LogTool.usualTokens }

  /// Returns the console of a command whose outputs are in memory.
  private func console(
    _ command: CommandSpec.Name, _ operands: [String], _ set: (inout ParsedArguments) -> Void
  ) -> Console {
    var arguments = arguments
    arguments.command = command
    arguments.operands = operands
    set(&arguments)
    return console.inMemory(arguments)
  }

  /// Reads logs and writes something about them.
  private func read(
    _ inner: Console, _ write: (OpenedLogs, Verdict, Console) -> Void
  ) throws(ToolError) -> [String] {
    try result(inner) { inner throws(UsageError) in
      let settings = try LoadedSettings.load(inner)
      let opened = OpenedLogs(LogPaths(inner.arguments.operands), inner)
      guard opened.isUsable else { return opened.failure ?? .notALog }
      write(opened, Verdict(opened.analysis, settings.rules), inner)
      return .clean
    }
  }

  /// Runs a command and returns what it has written.
  private func result(
    _ inner: Console, _ command: (Console) throws(UsageError) -> ExitCode
  ) throws(ToolError) -> [String] {
    let code: ExitCode
    do throws(UsageError) {
      code = try command(inner)
    } catch {
      throw ToolError(Self.beginning(of: error.sentence, maxBytes: Self.maxMessages))
    }
    let lines = inner.error.output.text.split(separator: "\n").filter {
      !$0.hasPrefix("Settings: ")
    }
    let messages = Self.beginning(of: lines.joined(separator: "\n"), maxBytes: Self.maxMessages)
    let text = inner.out.output.text
    // What could be read is still worth showing.
    guard code.rawValue < ExitCode.usage.rawValue, !text.isEmpty else {
      throw ToolError([messages, text].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    return messages.isEmpty ? [text] : [text, messages]
  }

  /// Returns the lines at the beginning of a text that fit.
  private static func beginning(of text: String, maxBytes: Int) -> String {
    guard text.utf8.count > maxBytes else { return text }
    var kept = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard kept.utf8.count + line.utf8.count + 1 <= maxBytes else { break }
      kept += line + "\n"
    }
    // The first line is too long.
    if kept.isEmpty { kept = String(decoding: text.utf8.prefix(maxBytes), as: UTF8.self) }
    return kept + "..."
  }

  // MARK: Files

  /// Returns the paths of the logs that an argument names.
  private func logs(_ call: ToolCall, _ name: String) throws(ToolError) -> [String] {
    let path = call.texts[name] ?? ""
    var status = stat()
    // Reading standard input or another pipe would take requests or wait forever.
    guard path != "-", RawPath.with(path, { stat($0, &status) }) == 0 else {
      throw ToolError("'\(JSONError.cut(path))' doesn't exist. Name a log or a folder of logs.")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return [path]
    case S_IFDIR:
      let logs: [String]
      do throws(LogError) {
        logs = try LogPaths.logs(in: path)
      } catch {
        throw ToolError("The folder '\(JSONError.cut(path))': \(error.sentence)")
      }
      guard logs.count <= Self.maxLogs else {
        throw ToolError(
          "The folder '\(JSONError.cut(path))' has \(logs.count) logs. Name one of them.")
      }
      return logs
    default:
      throw ToolError("'\(JSONError.cut(path))' is neither a file nor a folder.")
    }
  }
}
