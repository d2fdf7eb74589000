public import ReactiveKit
import TraceFormat

extension SignalProtocol {
  /// Stops in the debugger where one of the closures answers true, once a `breakpoint` record is in the log.
  ///
  /// Where no debugger is attached, one line is written to standard error and the program goes on;
  /// `Trace.breakpointAction` and `REACTIVE_TRACE_BREAKPOINT` choose otherwise. The record is written before anything else
  /// happens, and is in the log whatever becomes of the process.
  public func breakpoint(
    receiveSubscription: (() -> Bool)? = nil,
    receiveOutput: ((Element) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Error>) -> Bool)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    let source = "\(file):\(line)"
    return watched(
      TraceSite(lane: source, operator: .breakpoint, source: source, function: function)
    ) { subscription, _ in
      let stop = { (moment: String, text: () -> String?) in
        if let subscription {
          let writesValues = subscription.recorder.options.recordsValues
          subscription.breakpoint(on: moment, writesValues ? text() : nil)
        }
        Debugger.stop(at: source, on: moment)
      }
      return Watch(
        began: { if receiveSubscription?() == true { stop("subscribe") { nil } } },
        event: { event in
          switch event {
          case .next(let element):
            if receiveOutput?(element) == true { stop("next") { String(describing: element) } }
          case .failed(let error):
            if receiveCompletion?(.failure(error)) == true {
              stop("completion") { String(describing: error) }
            }
          case .completed:
            if receiveCompletion?(.finished) == true { stop("completion") { nil } }
          }
        })
    }
  }

  /// Stops in the debugger where the signal fails, as `breakpoint` does.
  public func breakpointOnError(
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    breakpoint(
      receiveCompletion: { completion in
        if case .failure = completion { return true }
        return false
      }, file: file, function: function, line: line)
  }
}
