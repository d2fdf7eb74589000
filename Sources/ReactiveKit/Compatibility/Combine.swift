// Apple platforms only: Combine exists nowhere else.
#if canImport(Combine)
  public import Combine

  extension Combine.Publisher {
    /// Returns this publisher as a signal. Each subscription to the signal subscribes to the
    /// publisher with unlimited demand.
    public func toSignal() -> Signal<Output, Failure> {
      Signal { observer in
        let sink = Combine.Subscribers.Sink<Output, Failure>(
          receiveCompletion: { completion in
            switch completion {
            case .finished: observer.receive(completion: .finished)
            case .failure(let error): observer.receive(completion: .failure(error))
            }
          },
          receiveValue: { observer.receive($0) })
        subscribe(sink)
        return BlockDisposable(sink.cancel)
      }
    }
  }

  extension Signal {
    /// A signal as a publisher. Signals have no back pressure: they send elements as they come and
    /// ignore the demand.
    public struct CombinePublisher: Combine.Publisher {
      public typealias Output = Element
      public typealias Failure = Error

      let signal: Signal<Element, Error>

      public func receive<S: Combine.Subscriber>(subscriber: S)
      where S.Input == Element, S.Failure == Error {
        let disposable = SerialDisposable(otherDisposable: nil)
        subscriber.receive(subscription: CombineSubscription(disposable: disposable))
        guard !disposable.isDisposed else { return }
        disposable.otherDisposable = signal.observe { event in
          switch event {
          case .next(let element): _ = subscriber.receive(element)
          case .failed(let error): subscriber.receive(completion: .failure(error))
          case .completed: subscriber.receive(completion: .finished)
          }
        }
      }
    }
  }

  extension SignalProtocol {
    /// Returns this signal as a publisher.
    public func toPublisher() -> Signal<Element, Error>.CombinePublisher {
      Signal.CombinePublisher(signal: toSignal())
    }
  }

  private final class CombineSubscription: Combine.Subscription {
    private let disposable: SerialDisposable

    init(disposable: SerialDisposable) {
      self.disposable = disposable
    }

    func request(_ demand: Combine.Subscribers.Demand) {}

    func cancel() {
      disposable.dispose()
    }
  }
#endif
