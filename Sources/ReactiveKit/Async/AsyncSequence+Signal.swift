extension AsyncSequence {
  /// A signal of the elements, which fails with what the sequence throws.
  ///
  /// Each observation iterates in a task of its own; disposing it cancels the task.
  public func toSignal() -> Signal<Element, any Error> {
    toFullyTypedSignal().mapError { $0 as any Error }
  }

  /// A signal of the elements, which fails with the sequence's own type of error.
  public func toFullyTypedSignal() -> Signal<Element, Failure> {
    let sequence = self
    return Signal { observer in
      // Made outside the task, which may not capture a type that it does not know to be `Sendable`.
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
  /// Sends what the closure returns, called anew in a task for each observation, and completes. Disposing cancels the
  /// task.
  public init(await body: @escaping () async -> Element) {
    let body = Transferred(body)
    self.init { observer in
      let task = Task { observer.receive(lastElement: await body.value()) }
      return BlockDisposable { task.cancel() }
    }
  }
}

extension Signal where Error == any Swift.Error {
  /// Sends what the closure returns and completes, or fails with what it throws. Disposing cancels the task that runs
  /// it.
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
