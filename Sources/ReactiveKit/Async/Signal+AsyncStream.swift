extension SignalProtocol where Error == Never {
  /// Returns an asynchronous sequence of the elements, with an unlimited buffer for elements that
  /// are not consumed yet.
  ///
  /// This method subscribes to the signal immediately. Canceling the iterating task or releasing
  /// the stream disposes the subscription. Completion ends the stream.
  public func toAsyncStream() -> AsyncStream<Element> {
    toAsyncStream(bufferingPolicy: .unbounded)
  }

  /// Returns an asynchronous sequence of the elements that buffers with the given policy.
  public func toAsyncStream(
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy
  ) -> AsyncStream<Element> {
    AsyncStream(bufferingPolicy: bufferingPolicy) { continuation in
      let observation = SerialDisposable(otherDisposable: nil)
      continuation.onTermination = { _ in observation.dispose() }
      observation.otherDisposable = observeChain { event in
        switch event {
        case .next(let element): continuation.yield(Transferred(element).value)
        case .completed: continuation.finish()
        }
      }
    }
  }
}

extension SignalProtocol where Error == any Swift.Error {
  /// Returns an asynchronous sequence of the elements that throws if the signal fails.
  ///
  /// This method subscribes to the signal immediately. Canceling the iterating task or releasing
  /// the stream disposes the subscription. Completion ends the stream.
  public func toAsyncThrowingStream() -> AsyncThrowingStream<Element, any Swift.Error> {
    toAsyncThrowingStream(bufferingPolicy: .unbounded)
  }

  /// Returns an asynchronous sequence of the elements that throws if the signal fails and buffers
  /// with the given policy.
  public func toAsyncThrowingStream(
    bufferingPolicy: AsyncThrowingStream<Element, any Swift.Error>.Continuation.BufferingPolicy
  ) -> AsyncThrowingStream<Element, any Swift.Error> {
    AsyncThrowingStream(bufferingPolicy: bufferingPolicy) { continuation in
      let observation = SerialDisposable(otherDisposable: nil)
      continuation.onTermination = { _ in observation.dispose() }
      observation.otherDisposable = observeChain { event in
        switch event {
        case .next(let element): continuation.yield(Transferred(element).value)
        case .failed(let error): continuation.finish(throwing: error)
        case .completed: continuation.finish()
        }
      }
    }
  }
}
