public import ReactiveKit
import SwiftRuntime
import TraceFormat

extension SignalProtocol {
  /// Writes each observation to the log: when and where it began, its elements, and how it ended.
  ///
  /// Every observation is a separate subscription with its own ID. Events aren't changed, added or
  /// lost, and stay on the same thread in the same order. If tracing is off, an observation costs
  /// one atomic load, and an event costs nothing. Each observation checks at its beginning whether
  /// tracing is on.
  ///
  ///     searchText
  ///       .lane("search.keystrokes")
  ///       .debounce(for: 0.2)
  ///
  /// Several signals can share a lane. A lane without a name is named after its source location.
  ///
  /// The filter selects what is written. Without `.event`, elements aren't written. Without
  /// `.subscription`, an undisposed subscription isn't a leak. The lifetime `.process` also
  /// prevents a leak finding. Use it for subscriptions that are meant to live until the program
  /// exits.
  ///
  /// `transformValue` makes the text of an element instead of `String(describing:)`. It is called
  /// on the emitting thread, without a lock, and only if the text is written.
  @inlinable
  public func lane(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Signal<Element, Error> {
    traced(
      TraceSite(name, file: file, line: line, function: function), filter: filter,
      lifetime: lifetime, transformValue)
  }

  /// Writes each observation to the log, with a set of `LaneType` as the filter.
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

  /// Writes each observation to the log, exactly like `lane`.
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

  /// Writes each observation to the log, exactly like `lane` with a set as the filter.
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
  /// Returns a signal that adds a probe to each observation if a recorder wants the lane.
  /// Otherwise, the signal doesn't add anything.
  @inlinable
  func traced(
    _ site: TraceSite, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    by recorder: @escaping () -> Recorder? = { Recorder.current },
    _ describe: ((Element) -> String)? = nil
  ) -> Signal<Element, Error> {
    Signal(source: { observer, chain in
      if let recorder = recorder(), let site = recorder.wanted(site, Element.self, filter) {
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
  /// Returns the site with elements of that type, or nil if the log doesn't record its lane.
  @usableFromInline
  func wanted(_ site: TraceSite, _ type: Any.Type, _ filter: Trace.LaneFilter) -> SharedSite? {
    // Events that a sink causes aren't traced.
    guard !filter.isEmpty, ThreadContext.current.pointee.sinkDepth == 0 else { return nil }
    let shared = SharedSiteTable.shared.site(site, of: Metadata.address(of: type))
    return options.lanes.matches(shared.lane) ? shared : nil
  }
}

extension ValueWriter {
  /// Creates a writer that turns the elements of a lane into text, according to the filter of the
  /// lane and the options of the log.
  @usableFromInline
  init(_ describe: ((Element) -> String)?, _ filter: Trace.LaneFilter, _ recorder: Recorder) {
    if !filter.contains(.event) {
      self = .none
    } else if !recorder.options.recordsValues {
      self = .silent
    } else if let describe {
      self = .text(describe)
    } else {
      self = .describing()
    }
  }
}
