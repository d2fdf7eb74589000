public import ReactiveKit
import TraceFormat

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
  /// Several signals may share a lane; one without a name is called after its place in the source. The filter chooses what is
  /// written: without `.event` there are no elements, and without `.subscription` a subscription that nobody disposes is no
  /// leak, as it is with the lifetime `.process`, for what is meant to live until the program exits. `transformValue` makes the
  /// text of an element in place of `String(describing:)`; it is called on the emitting thread, under no lock, and only where
  /// the text is written.
  @inlinable
  public func lane(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    let source = "\(file):\(line)"
    return traced(
      TraceSite(lane: name ?? source, source: source, function: function),
      filter: filter, lifetime: lifetime, transformValue)
  }

  /// The same, with the filter as a set.
  @_disfavoredOverload
  @inlinable
  public func lane(
    _ name: String? = nil, filter: Set<LaneType>, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    lane(
      name, filter: Trace.LaneFilter(filter), lifetime: lifetime, transformValue: transformValue,
      file: file, function: function, line: line)
  }

  /// The same as `lane`.
  @inlinable
  public func laneIfAvailable(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    lane(
      name, filter: filter, lifetime: lifetime, transformValue: transformValue, file: file,
      function: function, line: line)
  }

  /// The same as `lane`, with the filter as a set.
  @_disfavoredOverload
  @inlinable
  public func laneIfAvailable(
    _ name: String? = nil, filter: Set<LaneType>, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    lane(
      name, filter: Trace.LaneFilter(filter), lifetime: lifetime, transformValue: transformValue,
      file: file, function: function, line: line)
  }
}

extension SignalProtocol {
  /// Puts a probe into each observation for which there is a recorder that wants the lane, and does nothing where there is
  /// none.
  @inlinable
  func traced(
    _ site: TraceSite, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    by recorder: @escaping () -> Recorder? = { Recorder.current },
    _ describe: ((Element) -> String)? = nil
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      if let recorder = recorder(), recorder.wants(site.lane, filter) {
        Probe<Element, Error>(
          recorder, ValueWriter(describe, filter, recorder), site: site, chain: chain,
          livesUntilExit: lifetime == .process || !filter.contains(.subscription)
        ).observe(self, observer, chain)
      } else {
        self._attach(observer, to: chain)
      }
    })
  }
}

extension Recorder {
  @usableFromInline
  package func wants(_ lane: String, _ filter: Trace.LaneFilter) -> Bool {
    // Nothing of what a sink does is traced.
    !filter.isEmpty && options.lanes.matches(lane) && ThreadContext.current.pointee.sinkDepth == 0
  }
}

extension ValueWriter {
  /// How the elements of a lane become text, as its filter and the options of the log want it.
  @usableFromInline
  init(_ describe: ((Element) -> String)?, _ filter: Trace.LaneFilter, _ recorder: Recorder) {
    if !filter.contains(.event) {
      self = .none
    } else if !recorder.options.recordsValues {
      self = .silent
    } else {
      self = describe.map { .text($0) } ?? .describing()
    }
  }
}
