import Foundation
import ReactiveKit
import ReactiveTrace

/// True if the cases run without lanes, like programs that only set `REACTIVE_TRACE_ALL`.
private let isPlain = ProcessInfo.processInfo.environment["LEAK_CORPUS_PLAIN"] != nil

extension SignalProtocol {
  /// Puts the signal on a lane, unless the cases run without lanes.
  ///
  /// A lane with the lifetime of the process is always created, because it declares that a
  /// subscription isn't a leak.
  @inline(never)
  func traced(
    _ name: String, lifetime: Trace.Lifetime = .normal,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    if isPlain, lifetime == .normal { return toSignal() }
    return lane(name, lifetime: lifetime, file: file, function: function, line: line)
  }
}
