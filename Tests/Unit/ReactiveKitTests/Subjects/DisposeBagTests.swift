import ReactiveKit
import TestSupport
import Testing

@Suite("DisposeBag", .ownThread)
struct DisposeBagTests {
  @Test("A bag disposes its contents once, empties itself, and can be refilled")
  func refill() {
    let bag = DisposeBag()
    var disposed: [Int] = []
    #expect(bag.isDisposed)
    bag.add(disposables: [1, 2].map { number in BlockDisposable { disposed.append(number) } })
    #expect(!bag.isDisposed)
    bag.dispose()
    bag.dispose()
    #expect(disposed == [1, 2])
    #expect(bag.isDisposed)
    bag += BlockDisposable { disposed.append(3) }
    #expect(!bag.isDisposed)
    bag += [BlockDisposable { disposed.append(4) }]
    bag.dispose()
    #expect(disposed == [1, 2, 3, 4])
  }

  @Test("A deallocated bag disposes its contents, then completes its deallocated signal")
  func deallocation() {
    var steps: [String] = []
    var observation: (any Disposable)?
    do {
      let bag = DisposeBag()
      observation = bag.deallocated.observe { event in
        steps.append(event.isCompleted ? "deallocated" : "element")
      }
      bag += BlockDisposable { steps.append("disposed") }
    }
    #expect(steps == ["disposed", "deallocated"])
    #expect(observation?.isDisposed == true)
  }

  @Test("A bag's deallocated signal completes for an observer that arrives after the deallocation")
  func lateDeallocated() {
    let signal = DisposeBag().deallocated
    #expect(signal.drawn == "|")
  }

  @Test("A disposable can add to the bag that disposes it")
  func refillInside() {
    let bag = DisposeBag()
    let late = SimpleDisposable()
    bag += BlockDisposable { [unowned bag] in bag += late }
    bag.dispose()
    #expect(!late.isDisposed)
    bag.dispose()
    #expect(late.isDisposed)
  }

  @Test("A bag releases disposed contents, so that it doesn't grow forever")
  func sweeping() {
    weak var first: SimpleDisposable?
    let bag = DisposeBag()
    let kept = SimpleDisposable()
    bag += kept
    do {
      let disposable = SimpleDisposable(isDisposed: true)
      first = disposable
      bag += disposable
    }
    for _ in 0..<100 { bag += SimpleDisposable(isDisposed: true) }
    #expect(first == nil)
    bag.dispose()
    #expect(kept.isDisposed)
  }

  @Test("A bag doesn't call its contents while it holds its lock")
  func reentrantSweeping() {
    /// A disposable that reads its bag when it is queried, and when it is deallocated.
    final class Nosy: Disposable, @unchecked Sendable {
      unowned let bag: DisposeBag

      init(_ bag: DisposeBag) { self.bag = bag }

      deinit { _ = bag.isDisposed }

      var isDisposed: Bool {
        _ = bag.isDisposed
        return true
      }

      func dispose() {}
    }
    #expect(
      onAnotherThread {
        let bag = DisposeBag()
        for _ in 0..<100 { bag += Nosy(bag) }
        bag.dispose()
      })
  }

  @Test("A bag disposes everything that several threads add while it is being disposed")
  func threads() {
    let bag = DisposeBag()
    let lists = (0..<4).map { _ in (0..<500).map { _ in SimpleDisposable() } }
    onThreads(5) { number in
      if number == 4 {
        for _ in 0..<50 { bag.dispose() }
      } else {
        for (index, disposable) in lists[number].enumerated() {
          bag += disposable
          if index % 3 == 0 { bag += SimpleDisposable(isDisposed: true) }
        }
      }
    }
    bag.dispose()
    #expect(lists.joined().allSatisfy { $0.isDisposed })
  }

  @Test("A bag releases cancellables whose observations have ended")
  func sweepingCancellables() {
    weak var first: AnyCancellable?
    let bag = DisposeBag()
    do {
      let cancellable = SafeSignal(just: 1).sink { _ in }
      first = cancellable
      cancellable.store(in: bag)
    }
    for _ in 0..<100 { SafeSignal(just: 1).sink { _ in }.store(in: bag) }
    #expect(first == nil)
  }
}
