import TerminalUI
import TraceAnalysis
import TraceFormat

/// An exporter for a format that other programs read.
protocol Exporter {
  init(_ selection: ExportSelection, _ output: Output)

  /// Writes everything that is selected.
  mutating func export() throws(LogError)
}

/// The export formats, as `--to` names them.
enum ExportFormat: String {
  case perfetto, chrome, otlp, csv

  /// A Boolean value that indicates whether the format is binary and must not be written to a
  /// terminal.
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
