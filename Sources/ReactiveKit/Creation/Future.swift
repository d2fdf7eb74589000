import Synchronization

/// A signal of one promised element or failure. The work starts when the future is created. Each
/// observer receives the result, no matter how late it subscribes.
///
///     let answer = Future<Int, Never> { promise in fetch { promise(.success($0)) } }
public final class Future<Element, Error: Swift.Error>: SignalProtocol, Sendable {
  /// A closure that fulfills the promise. Only the first result counts. Any thread can call the
  /// closure.
  public typealias Promise = (Result<Element, Error>) -> Void

  private let subject = ReplayOneSubject<Element, Error>()

  /// Creates a future and runs the closure immediately. The closure receives the promise, which
  /// takes the result.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let isKept = Flag()
    attemptToFulfill { [subject] result in
      guard isKept.raise() else { return }
      switch result {
      case .success(let element): subject.send(lastElement: element)
      case .failure(let error): subject.send(completion: .failure(error))
      }
    }
  }

  public func observe(with observer: @escaping Observer<Element, Error>) -> any Disposable {
    subject.observe(with: observer)
  }

  public func _attach(_ observer: @escaping Observer<Element, Error>, to chain: ChainDisposable) {
    subject._attach(observer, to: chain)
  }
}

private final class Flag: Sendable {
  private let isUp = Atomic<Bool>(false)

  /// Raises the flag and reports whether this call is the first.
  func raise() -> Bool { !isUp.exchange(true, ordering: .relaxed) }
}
