import InteractiveView
import TerminalUI
import TraceAnalysis
import TraceReports
import ViewerConsole

extension ExternalActions {
  /// Creates the actions with all export formats.
  ///
  /// - Parameter inputs: The logs, which no export may overwrite.
  convenience init(_ environment: Environment, directory: String, inputs: [String]) {
    self.init(environment, directory: directory, inputs: inputs) {
      (format, excerpt, times, verdict, output) throws(LogError) in
      let verdict = format.exporter.hasFindings ? verdict : nil
      try format.export(ExportSelection(excerpt, times, verdict), to: output)
    }
  }
}
