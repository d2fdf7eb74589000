import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

extension AxisText {
  /// Creates a formatter for times as a viewer shows them.
  init(_ viewer: Viewer) {
    guard viewer.timeline.showsClock else {
      self.init(viewer.page)
      return
    }
    let starts = viewer.log.logs.compactMap {
      $0.header?.started.flatMap { RFC3339.nanoseconds(of: $0) }
    }
    self.init(viewer.page, clock: starts.min())
  }
}
