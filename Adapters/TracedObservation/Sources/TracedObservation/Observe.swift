import Observation
public import ReactiveTrace

extension Trace {
  /// Calls a closure, and again after each change of an observable property that it has read, until
  /// the result is canceled or deallocated.
  ///
  /// The log has the observer with a lane, and what the closure returned as elements. Changes that
  /// follow each other without a suspension between them are one change. The closure runs on the
  /// actor of the code that observes.
  ///
  ///     observer = Trace.observe("cart.badge") { [weak self] in self?.showCount() }
  ///
  /// A closure that captures the owner of the observer strongly keeps it alive: the observer then
  /// never ends, and `check` reports it.
  public static func observe<Value: Sendable>(
    _ lane: String? = nil, file: String = #fileID, function: String = #function, line: Int = #line,
    @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () -> Value
  ) -> Observer {
    let values = Observations(body).lane(lane, file: file, function: function, line: line)
    return Observer(Task { for await _ in values {} })
  }

  /// An observer of observable properties. It ends when it is canceled or deallocated.
  public final class Observer: Sendable {
    private let task: Task<Void, Never>

    fileprivate init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    public func cancel() { task.cancel() }

    /// Waits until the log has the end of the observer.
    public func waitUntilEnd() async { await task.value }
  }
}
