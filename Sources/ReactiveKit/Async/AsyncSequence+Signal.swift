extension AsyncSequence {
  /// Returns a signal of the sequence's elements that fails with any error that the sequence
  /// throws.
  ///
  /// Each subscription iterates in its own task. Disposing the subscription cancels the task.
  public func toSignal() -> Signal<Element, any Error> {
    toFullyTypedSignal().mapError { $0 as any Error }
  }

  /// Returns a signal of the sequence's elements that fails with the sequence's own error type.
  public func toFullyTypedSignal() -> Signal<Element, Failure> {
    let sequence = self
    return Signal { observer in
      // The task can't capture values of a type that is not known to be `Sendable`, so the closure
      // is created outside it.
      let iterate = Transferred { () async -> Void in
        var iterator = sequence.makeAsyncIterator()
        do throws(Failure) {
          while !Task.isCancelled, let element = try await iterator.next(isolation: nil) {
            observer.receive(element)
          }
          observer.receive(completion: .finished)
        } catch {
          observer.receive(completion: .failure(error))
        }
      }
      let task = Task { await iterate.value() }
      return BlockDisposable { task.cancel() }
    }
  }
}

extension Signal {
  /// Creates a signal that calls the closure in a new task for each subscription, sends the result
  /// and completes. Disposing the subscription cancels the task.
  public init(await body: @escaping () async -> Element) {
    let body = Transferred(body)
    self.init { observer in
      let task = Task { observer.receive(lastElement: await body.value()) }
      return BlockDisposable { task.cancel() }
    }
  }
}

extension Signal where Error == any Swift.Error {
  /// Creates a signal that calls the closure in a new task for each subscription. The signal sends
  /// the result and completes, or fails with the error that the closure throws. Disposing the
  /// subscription cancels the task.
  @_disfavoredOverload
  public init(await body: @escaping () async throws -> Element) {
    let body = Transferred(body)
    self.init { observer in
      let task = Task {
        do {
          observer.receive(lastElement: try await body.value())
        } catch {
          observer.receive(completion: .failure(error))
        }
      }
      return BlockDisposable { task.cancel() }
    }
  }
}
