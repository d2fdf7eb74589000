import Synchronization

/// A signal of one element, or of a failure, that is promised: its work starts when it is made, and each observer gets the
/// result, however late it comes.
///
///     let answer = Future<Int, Never> { promise in fetch { promise(.success($0)) } }
public final class Future<Element, Error: Swift.Error>: SignalProtocol, Sendable {
  /// Keeps the promise; the first result counts. May be called from any thread.
  public typealias Promise = (Result<Element, Error>) -> Void

  private let subject = ReplayOneSubject<Element, Error>()

  /// Runs the closure at once; it is given what takes the result.
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

  /// Answers whether the caller is the first.
  func raise() -> Bool { !isUp.exchange(true, ordering: .relaxed) }
}
