public import ReactiveTrace
public import RxSwift

extension ObservableType {
  /// Writes each subscription to the log: when and where it began, its elements, and how it ended.
  ///
  /// If tracing is off, a subscription costs one atomic load. See `SignalProtocol.lane` for the
  /// parameters.
  ///
  ///     searchText
  ///       .lane("search.keystrokes")
  ///       .distinctUntilChanged()
  public func lane(
    _ name: String? = nil, filter: Trace.LaneFilter = .all, lifetime: Trace.Lifetime = .normal,
    transformValue: ((Element) -> String)? = nil,
    file: String = #fileID, function: String = #function, line: Int = #line
  ) -> Observable<Element> {
    let lane = Trace.Lane<Element>(
      name, filter: filter, lifetime: lifetime, library: .rxSwift, transformValue: transformValue,
      file: file, function: function, line: line)
    return Observable.create { observer in
      guard let lane = lane.begin() else { return self.subscribe(observer) }
      let upstream = lane.observe {
        self.subscribe { event in
          switch event {
          case .next(let element): lane.next(element)
          case .error(let error): lane.end(error)
          case .completed: lane.end()
          }
          lane.deliver { observer.on(event) }
        }
      }
      return TracedDisposable(upstream, lane)
    }
  }
}

/// What downstream has instead of the disposable upstream.
private final class TracedDisposable<Element>: Disposable {
  private let upstream: any Disposable
  private let lane: Trace.LaneSubscription<Element>

  init(_ upstream: any Disposable, _ lane: Trace.LaneSubscription<Element>) {
    self.upstream = upstream
    self.lane = lane
    lane.note(handle: self)
  }

  deinit { lane.note(handle: nil) }

  func dispose() {
    lane.cancel()
    upstream.dispose()
  }
}
