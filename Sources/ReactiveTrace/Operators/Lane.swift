public import ReactiveKit

extension SignalProtocol {
  /// Writes the life of each observation to the log: when and where it began, its elements, and how it ended.
  ///
  /// Every observation is a subscription of its own with an id of its own. Events pass as they came: on the same thread, in
  /// the same order, none added and none lost. Where tracing is off, an observation costs one atomic load here, and an
  /// event nothing. Whether it is on is looked at when the signal is observed.
  ///
  ///     searchText
  ///       .lane("search.keystrokes")
  ///       .debounce(for: 0.2)
  ///
  /// - Parameters:
  ///   - name: The lane that the subscription is shown in; several signals may share one. Without a name it is the place in
  ///     the source.
  ///   - lifetime: `.process` for what is meant to live until the program exits.
  ///   - transformValue: Makes the text of an element that is written. It is called on the emitting thread, under no
  ///     lock, and only while tracing is on.
  public func lane(
    _ name: String? = nil, lifetime: Trace.Lifetime = .normal,
    transformValue: @escaping (Element) -> String = { String(describing: $0) },
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    let source = "\(file):\(line)"
    return traced(
      TraceSite(
        lane: name ?? source, operator: .lane, source: source, function: function,
        lifetime: lifetime),
      by: { Recorder.current }, describe: transformValue)
  }
}
