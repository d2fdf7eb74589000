extension SignalProtocol where Error == Never {
  /// The elements as an asynchronous sequence that buffers what is not yet taken, without a limit.
  ///
  /// The signal is observed at once. Cancelling the task that iterates, or letting the stream go, disposes the observation;
  /// completion ends the stream.
  public func toAsyncStream() -> AsyncStream<Element> {
    toAsyncStream(bufferingPolicy: .unbounded)
  }

  /// The same with a limit to what is buffered.
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
  /// The elements as an asynchronous sequence that throws where the signal fails.
  ///
  /// The signal is observed at once. Cancelling the task that iterates, or letting the stream go, disposes the observation;
  /// completion ends the stream.
  public func toAsyncThrowingStream() -> AsyncThrowingStream<Element, any Swift.Error> {
    toAsyncThrowingStream(bufferingPolicy: .unbounded)
  }

  /// The same with a limit to what is buffered.
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
