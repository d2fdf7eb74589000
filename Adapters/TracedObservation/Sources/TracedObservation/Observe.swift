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
    // Only the task passes elements to it.
    nonisolated(unsafe) let subscription = Trace.Lane<Value>(
      lane, library: .observation, file: file, function: function, line: line
    ).begin()
    let task = Task {
      for await value in Observations(body) { subscription?.next(value) }
      subscription?.cancel()
    }
    return Observer(task, subscription)
  }

  /// An observer of observable properties. It ends when it is canceled or deallocated.
  public final class Observer: Sendable {
    private let task: Task<Void, Never>
    nonisolated(unsafe) private let subscription: (any NotesHandle)?

    fileprivate init(_ task: Task<Void, Never>, _ subscription: (any NotesHandle)?) {
      self.task = task
      self.subscription = subscription
      subscription?.note(handle: self)
    }

    deinit {
      subscription?.note(handle: nil)
      task.cancel()
    }

    public func cancel() { task.cancel() }

    /// Waits until the log has the end of the observer.
    public func waitUntilEnd() async { await task.value }
  }
}

/// A subscription with elements of any type.
private protocol NotesHandle: AnyObject {
  func note(handle: AnyObject?)
}

extension Trace.LaneSubscription: NotesHandle {}
