import ReactiveKit
import TestSupport
import Testing

/// The third contract for code inside a chain: the code that disposes the chain is the last code of
/// the chain that runs.
@Suite("Contracts of disposal from inside a chain")
struct DisposalInsideTests {
  private typealias Source = Signal<Int, TestError>

  /// A counter of the closures that run after the chain was disposed.
  private final class Watch {
    let stop = PassthroughSubject<Void, Never>()
    private(set) var isOver = false
    private(set) var late = 0

    func note() {
      if isOver { late += 1 }
    }

    /// Disposes the chain, even while it is being observed.
    func dispose() {
      note()
      isOver = true
      stop.send()
    }

    /// Adds closures of all kinds to `signal`, and observes it until `dispose` is called.
    func follow(_ signal: Signal<Int, TestError>) -> any Disposable {
      signal
        .handleEvents(
          receiveOutput: { [self] _ in note() }, receiveCompletion: { [self] _ in note() }
        )
        .scan(0) { [self] in
          note()
          return $0 + $1
        }
        .feedNext(into: PassthroughSubject<Int, Never>()) { [self] in
          note()
          return $0
        }
        .prefix(untilOutputFrom: stop)
        .observe { [self] event in if event.isNext { note() } }
    }
  }

  @Test(
    "Contract 3: Nothing runs after a closure that disposes its chain", arguments: ClosureCase.all)
  func closures(_ operation: ClosureCase) {
    let sources: [(PassthroughSubject<Int, TestError>) -> Source] = [
      { $0.toSignal() }, { _ in Source(sequence: [1, 2, 3]) },
    ]
    for makeSource in sources {
      let watch = Watch()
      let subject = PassthroughSubject<Int, TestError>()
      let disposable = watch.follow(operation.apply(makeSource(subject)) { watch.dispose() })
      for number in 1...3 { subject.send(number) }
      subject.send(completion: .finished)
      #expect(watch.isOver)
      #expect(watch.late == 0)
      disposable.dispose()
    }
  }

  @Test(
    "Contract 3: Nothing runs downstream after an upstream closure disposes the chain",
    arguments: OperatorCase.all)
  func upstream(_ operation: OperatorCase) {
    let sources: [(PassthroughSubject<Int, TestError>) -> Source] = [
      { $0.toSignal() }, { _ in Source(sequence: 1...4) },
    ]
    for makeSource in sources {
      let watch = Watch()
      let time = VirtualScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let source = makeSource(subject).map { number -> Int in
        if number == 3 { watch.dispose() }
        return number
      }
      let disposable = watch.follow(operation.apply(source, time))
      for number in 1...4 { subject.send(number) }
      subject.send(completion: .finished)
      time.advance(by: 10)
      #expect(watch.late == 0)
      disposable.dispose()
    }
  }
}
