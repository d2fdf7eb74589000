public import ReactiveKit
import TraceFormat

extension SignalProtocol {
  /// Prints the life of each observation to standard output, and writes it to the log where one is written.
  ///
  ///     [search] started (#3, 0 ns)
  ///     [search] next(swift) (#3, 1.204 ms)
  ///     [search] disposed (#3, 2.1 s)
  ///
  /// After each event stand the id of the subscription (that of the log, or a number of its own where none is written) and
  /// the time since it began. `disposed` is printed only where the subscription was disposed before its end. The title is the
  /// lane in the log, and the place in the source where none is given.
  public func debug(
    _ title: String? = nil, file: String = #fileID, function: String = #function,
    line: Int = #line
  ) -> Signal<Element, Error> {
    let source = "\(file):\(line)"
    let title = title ?? source
    return watched(
      TraceSite(lane: title, operator: .debug, source: source, function: function)
    ) { subscription, id in
      let clock = LogClock()
      let say = { (text: String) in
        print("[\(title)] \(text) (#\(id), \(ElapsedTime.text(clock.now)))")
      }
      return Watch(
        began: { say("started") },
        event: { event in
          switch event {
          case .next(let element): say("next(\(element))")
          case .failed(let error): say("failed: \(error)")
          case .completed: say("finished")
          }
        },
        disposed: { say("disposed") })
    }
  }
}
