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
      (format, excerpt, times, output) throws(LogError) in
      try format.export(ExportSelection(excerpt, times), to: output)
    }
  }
}
