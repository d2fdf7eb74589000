import ReactiveKit
import TestSupport
import Testing

@Suite("DisposeBag", .ownThread)
struct DisposeBagTests {
  @Test("disposes what it holds once, empties, and can be refilled")
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

  @Test("disposes what it holds when it is deallocated, and completes deallocated after that")
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

  @Test("says that it was deallocated also to who asks later")
  func lateDeallocated() {
    let signal = DisposeBag().deallocated
    #expect(signal.drawn == "|")
  }

  @Test("may be filled by what it disposes")
  func refillInside() {
    let bag = DisposeBag()
    let late = SimpleDisposable()
    bag += BlockDisposable { [unowned bag] in bag += late }
    bag.dispose()
    #expect(!late.isDisposed)
    bag.dispose()
    #expect(late.isDisposed)
  }

  @Test("forgets what has been disposed, so that it does not grow for ever")
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

  @Test("asks nothing of what it holds under its lock")
  func reentrantSweeping() {
    /// Looks at the bag when it is asked, and when it goes.
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

  @Test("loses nothing of what several threads add and dispose")
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

  @Test("forgets cancellables whose observation has ended")
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
