public import ReactiveKit
import SystemLibrary
import TraceFormat

extension SignalProtocol {
  /// Prints the events of each observation to standard output, and writes them to the log if there
  /// is one.
  ///
  ///     [search] started (#3, 0 ns)
  ///     [search] next(swift) (#3, 1.204 ms)
  ///     [search] disposed (#3, 2.1 s)
  ///
  /// Each event is followed by the ID of the subscription and the time since it began. The ID is
  /// the one in the log, or a separate number if the observation isn't recorded. `disposed` is
  /// printed only if the subscription was disposed before its end. The title is the lane in the
  /// log. Without a title, the lane is the source location.
  public func debug(
    _ title: String? = nil, file: String = #fileID, function: String = #function,
    line: Int = #line
  ) -> Signal<Element, Error> {
    let site = TraceSite(title, .debug, file: file, line: line, function: function)
    return watched(site) { _, id in .printing(site.lane, id) }
  }
}

extension Watch {
  /// Returns the actions that print the events of one observation.
  static func printing(_ title: String, _ id: Int) -> Watch {
    let clock = LogClock()
    let printEvent = { (text: String) in
      print("[\(title)] \(text) (#\(id), \(ElapsedTime.text(clock.now)))")
    }
    return Watch(
      began: { printEvent("started") },
      event: { event in
        switch event {
        case .next(let element): printEvent("next(\(element))")
        case .failed(let error): printEvent("failed: \(error)")
        case .completed: printEvent("finished")
        }
      },
      disposed: { printEvent("disposed") })
  }
}
