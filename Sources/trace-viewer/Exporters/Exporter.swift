import TerminalUI
import TraceAnalysis
import TraceFormat

/// A format that other programs read.
protocol Exporter {
  init(_ selection: ExportSelection, _ output: Output)

  /// Writes everything that is selected.
  mutating func export() throws(LogError)
}

/// The formats, as `--to` names them.
enum ExportFormat: String {
  case perfetto, chrome, otlp, csv

  /// Whether a terminal must not get it.
  var isBinary: Bool { self == .perfetto }

  func export(_ selection: ExportSelection, to output: Output) throws(LogError) {
    switch self {
    case .perfetto: try run(PerfettoExporter.self, selection, output)
    case .chrome: try run(ChromeExporter.self, selection, output)
    case .otlp: try run(OTLPExporter.self, selection, output)
    case .csv: try run(CSVExporter.self, selection, output)
    }
  }

  private func run(
    _ type: (some Exporter).Type, _ selection: ExportSelection, _ output: Output
  ) throws(LogError) {
    var exporter = type.init(selection, output)
    try exporter.export()
  }
}
