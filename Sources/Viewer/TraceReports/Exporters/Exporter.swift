package import TerminalUI
package import TraceAnalysis
import ViewerConsole

/// An exporter for a format that other programs read.
package protocol Exporter {
  /// A Boolean value that indicates whether the format must not be written to a terminal.
  static var isBinary: Bool { get }

  /// A Boolean value that indicates whether the format contains findings.
  static var hasFindings: Bool { get }

  init(_ selection: ExportSelection, _ output: Output)

  /// Writes everything that is selected.
  mutating func export() throws(LogError)
}

extension Exporter {
  package static var isBinary: Bool { false }
  package static var hasFindings: Bool { true }
}

// The exporter of each format.
extension ExportFormat {
  package var exporter: any Exporter.Type {
    switch self {
    case .perfetto: PerfettoExporter.self
    case .otlp: OTLPExporter.self
    case .csv: CSVExporter.self
    }
  }

  package func export(_ selection: ExportSelection, to output: Output) throws(LogError) {
    func run<Format: Exporter>(_ type: Format.Type) throws(LogError) {
      var exporter = type.init(selection, output)
      try exporter.export()
    }
    try run(exporter)
  }
}
