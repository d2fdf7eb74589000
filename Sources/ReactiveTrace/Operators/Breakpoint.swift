public import ReactiveKit
import TraceFormat

extension SignalProtocol {
  /// Stops in the debugger if one of the closures returns true. Before that, writes a `breakpoint`
  /// record to the log.
  ///
  /// If no debugger is attached, one line is written to standard error and the program continues.
  /// `Trace.breakpointAction` and `REACTIVE_TRACE_BREAKPOINT` can choose another action. The record
  /// is written before the action, so it stays in the log even if the process is killed.
  public func breakpoint(
    receiveSubscription: (() -> Bool)? = nil,
    receiveOutput: ((Element) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Error>) -> Bool)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    let site = TraceSite(nil, .breakpoint, file: file, line: line, function: function)
    return watched(site) { subscription, _ in
      .stopping(
        at: site, subscription, receiveSubscription: receiveSubscription,
        receiveOutput: receiveOutput, receiveCompletion: receiveCompletion)
    }
  }

  /// Stops in the debugger if the signal fails, like `breakpoint`.
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

extension Watch {
  /// Returns the actions that stop in the debugger if one of the closures returns true.
  static func stopping(
    at site: TraceSite, _ subscription: TracedSubscription?, receiveSubscription: (() -> Bool)?,
    receiveOutput: ((Element) -> Bool)?,
    receiveCompletion: ((Subscribers.Completion<Error>) -> Bool)?
  ) -> Watch {
    let stop = { (moment: TracedSubscription.Moment, text: () -> String?) in
      if let subscription {
        let writesValues = subscription.recorder.options.recordsValues
        subscription.breakpoint(on: moment, writesValues ? text() : nil)
      }
      Debugger.stop(at: site.source ?? site.lane, on: moment)
    }
    return Watch(
      began: { if receiveSubscription?() == true { stop(.subscribe) { nil } } },
      event: { event in
        switch event {
        case .next(let element):
          if receiveOutput?(element) == true { stop(.next) { String(describing: element) } }
        case .failed(let error):
          if receiveCompletion?(.failure(error)) == true {
            stop(.completion) { String(describing: error) }
          }
        case .completed:
          if receiveCompletion?(.finished) == true { stop(.completion) { nil } }
        }
      })
  }
}
