import TerminalUI
import TraceAnalysis

/// An exporter for a format that other programs read.
protocol Exporter {
  /// The endings of file names that choose the format. The first one is the usual one.
  static var fileEndings: [String] { get }
  /// A Boolean value that indicates whether the format must not be written to a terminal.
  static var isBinary: Bool { get }

  init(_ selection: ExportSelection, _ output: Output)

  /// Writes everything that is selected.
  mutating func export() throws(LogError)
}

extension Exporter {
  static var isBinary: Bool { false }
}

/// The export formats. This is the only list of them: the command line, help, completions and
/// names of files follow it.
enum ExportFormat: String, OptionChoice {
  case perfetto, chrome, otlp, csv

  var exporter: any Exporter.Type {
    switch self {
    case .perfetto: PerfettoExporter.self
    case .chrome: ChromeExporter.self
    case .otlp: OTLPExporter.self
    case .csv: CSVExporter.self
    }
  }

  func export(_ selection: ExportSelection, to output: Output) throws(LogError) {
    func run<Format: Exporter>(_ type: Format.Type) throws(LogError) {
      var exporter = type.init(selection, output)
      try exporter.export()
    }
    try run(exporter)
  }
}

/// The name of an export file, whose ending determines the format.
struct ExportName {
  let format: ExportFormat

  static let problem: String = {
    let endings = ExportFormat.allCases.compactMap { $0.exporter.fileEndings.first }
    let list = endings.dropLast().joined(separator: ", ")
    return "End the name in \(list) or \(endings.last ?? "") to choose the format."
  }()

  /// Creates the name of a file. Returns `nil` if it has no known ending, or nothing before the
  /// ending.
  init?(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    let endings = ExportFormat.allCases.flatMap { format in
      format.exporter.fileEndings.map { (text: $0, format: format) }
    }
    // `.chrome.json` is more specific than `.json`.
    let found = endings.filter { name.hasSuffix($0.text) && name != $0.text }
      .max { $0.text.utf8.count < $1.text.utf8.count }
    guard let found else { return nil }
    format = found.format
  }

  /// Returns a lane name as the stem of a file name.
  static func stem(of lane: String) -> String {
    let clean = lane.map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "-"
    }
    let stem = String(clean.prefix(60)).drop { $0 == "." || $0 == "-" }
    return stem.isEmpty ? "trace" : String(stem)
  }
}
