@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

/// Exports of logs in memory.
enum ExportedLog {
  static func bytes(
    _ format: ExportFormat, _ texts: String..., lanes: [String] = [],
    findings settings: RuleSettings? = nil
  ) throws -> [UInt8] {
    let output = Output(descriptor: nil)
    try format.export(try selection(texts, lanes: lanes, findings: settings), to: output)
    return output.bytes
  }

  static func text(
    _ format: ExportFormat, _ text: String, lanes: [String] = [],
    findings settings: RuleSettings? = nil
  ) throws -> String {
    String(decoding: try bytes(format, text, lanes: lanes, findings: settings), as: UTF8.self)
  }

  /// - Parameter settings: The settings of the rules, or `nil` to export no findings.
  static func selection(
    _ texts: [String], lanes: [String] = [], findings settings: RuleSettings? = nil
  ) throws -> ExportSelection {
    let files = texts.enumerated().map { number, text in
      LogSource(name: "run-\(number + 1).jsonl", bytes: Array(text.utf8))
    }
    let analysis = try LogAnalysis.read(files).analysis
    let excerpt = try LogFilter(lanes: lanes).excerpt(of: analysis)
    return ExportSelection(excerpt, .always, settings.map { Verdict(analysis, $0) })
  }
}

// Lookups for tests. They return `nil` instead of an error.
extension JSONValue {
  static func read(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDocument(bytes).node.value
  }

  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  var integer: Int? {
    if case .integer(let number) = content { number } else { nil }
  }
}
