import ReactiveKit
import TestSupport
import Testing

@Suite("Disposables", .ownThread)
struct DisposableTests {
  @Test("BlockDisposable runs its block once and frees it")
  func block() {
    var count = 0
    let disposable = BlockDisposable { count += 1 }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.cancel()
    #expect(disposable.isDisposed)
    #expect(count == 1)
    #expect(
      isFreed { canary in
        let disposable = BlockDisposable { canary.sing() }
        disposable.dispose()
        return disposable
      })
  }

  @Test("BlockDisposable runs its block once if several threads dispose it")
  func blockOnThreads() {
    let recorder = EventRecorder<Int, Never>()
    for _ in 0..<50 {
      let disposable = BlockDisposable { recorder.on(.next(1)) }
      onThreads(4) { _ in disposable.dispose() }
    }
    #expect(recorder.elements.count == 50)
  }

  @Test("BlockDisposable can be disposed by its own block")
  func blockInside() {
    var count = 0
    let disposable = SerialDisposable(otherDisposable: nil)
    disposable.otherDisposable = BlockDisposable {
      count += 1
      disposable.dispose()
    }
    disposable.dispose()
    #expect(count == 1)
  }

  @Test("A disposable can be passed to a task, which disposes it")
  func handedOver() async {
    let subject = PassthroughSubject<Int, Never>()
    let disposable: any Disposable = subject.observeNext { _ in }
    await Task.detached { disposable.dispose() }.value
    #expect(disposable.isDisposed)
  }

  @Test("SimpleDisposable stores whether it is disposed")
  func simple() {
    let disposable = SimpleDisposable()
    #expect(!disposable.isDisposed)
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(SimpleDisposable(isDisposed: true).isDisposed)
    disposable.isDisposed = false
    #expect(!disposable.isDisposed)
  }

  @Test("NonDisposable is never disposed")
  func non() {
    NonDisposable.instance.dispose()
    #expect(!NonDisposable.instance.isDisposed)
  }

  @Test(
    "SerialDisposable disposes its current disposable and later ones, but not replaced ones")
  func serial() {
    let parts = (0..<3).map { _ in SimpleDisposable() }
    let serial = SerialDisposable(otherDisposable: parts[0])
    serial.otherDisposable = parts[1]
    #expect(parts.map(\.isDisposed) == [false, false, false])
    serial.dispose()
    #expect(serial.isDisposed)
    #expect(serial.otherDisposable == nil)
    serial.otherDisposable = parts[2]
    #expect(parts.map(\.isDisposed) == [false, true, true])
  }

  @Test(
    "SerialDisposable supports a custom operator whose source ends while it is being observed")
  func serialOfClient() {
    func concat(_ first: SafeSignal<Int>, _ second: SafeSignal<Int>) -> SafeSignal<Int> {
      Signal { observer in
        let serial = SerialDisposable(otherDisposable: nil)
        serial.otherDisposable = first.observe { event in
          switch event {
          case .next(let element): observer.receive(element)
          case .completed: serial.otherDisposable = second.observe(with: observer.on)
          }
        }
        return serial
      }
    }
    let subject = PassthroughSubject<Int, Never>()
    let (recorder, disposable) = concat(SafeSignal(just: 1), subject.toSignal()).record()
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.drawn == "12|")
    disposable.dispose()
  }

  @Test("SerialDisposable frees a replaced disposable outside its lock")
  func serialReplacing() {
    #expect(
      onAnotherThread {
        let disposable = SerialDisposable(otherDisposable: nil)
        disposable.otherDisposable = AnyCancellable { [unowned disposable] in
          _ = disposable.otherDisposable
        }
        disposable.otherDisposable = SimpleDisposable()
      })
  }

  @Test("CompositeDisposable disposes its parts once, and later additions immediately")
  func composite() {
    var count = 0
    let composite = CompositeDisposable([BlockDisposable { count += 1 }])
    composite += BlockDisposable { count += 1 }
    composite.add(disposable: BlockDisposable { count += 1 })
    #expect(!composite.isDisposed)
    composite.dispose()
    composite.dispose()
    #expect(count == 3)
    composite += BlockDisposable { count += 1 }
    #expect(count == 4)
    #expect(composite.isDisposed)
  }

  @Test("CompositeDisposable releases parts that have been disposed")
  func compositeSweeping() {
    weak var first: SimpleDisposable?
    let composite = CompositeDisposable()
    do {
      let disposable = SimpleDisposable(isDisposed: true)
      first = disposable
      composite += disposable
    }
    for _ in 0..<100 { composite += SimpleDisposable(isDisposed: true) }
    #expect(first == nil)
  }

  @Test("CompositeDisposable disposes every part that threads add while it is being disposed")
  func compositeThreads() {
    for _ in 0..<20 {
      let composite = CompositeDisposable()
      let parts = (0..<60).map { _ in SimpleDisposable() }
      onThreads(3) { number in
        if number == 2 { return composite.dispose() }
        for index in 0..<30 { composite += parts[number * 30 + index] }
      }
      #expect(parts.allSatisfy { $0.isDisposed })
    }
  }

  @Test("DeinitDisposable disposes its current disposable when it is deallocated")
  func deinitDisposable() {
    let (first, second) = (SimpleDisposable(), SimpleDisposable())
    do {
      let disposable = DeinitDisposable(disposable: first)
      disposable.otherDisposable = second
      #expect(!disposable.isDisposed)
    }
    #expect(!first.isDisposed)
    #expect(second.isDisposed)
    let disposable = DeinitDisposable(disposable: first)
    disposable.dispose()
    #expect(disposable.isDisposed)
    #expect(first.isDisposed)
  }

  @Test("DeinitDisposable frees a replaced disposable outside its lock")
  func deinitDisposableReplacing() {
    #expect(
      onAnotherThread {
        let disposable = DeinitDisposable(disposable: NonDisposable.instance)
        disposable.otherDisposable = AnyCancellable { [unowned disposable] in
          _ = disposable.otherDisposable
        }
        disposable.otherDisposable = SimpleDisposable()
      })
  }

  @Test("AnyCancellable cancels once, explicitly or when it is deallocated")
  func anyCancellable() {
    var count = 0
    do {
      let cancellable = AnyCancellable { count += 1 }
      cancellable.cancel()
      #expect(cancellable.isDisposed)
      cancellable.dispose()
    }
    #expect(count == 1)
    do { _ = AnyCancellable { count += 1 } }
    #expect(count == 2)
    let inner = SimpleDisposable()
    do { _ = AnyCancellable(inner) }
    #expect(inner.isDisposed)
  }

  @Test("A disposable can be stored in a bag, a set or a collection")
  func storing() {
    let parts = (0..<4).map { _ in SimpleDisposable() }
    do {
      let bag = DisposeBag()
      var set: Set<AnyCancellable> = []
      var list: [AnyCancellable] = []
      parts[0].dispose(in: bag)
      parts[1].store(in: bag)
      parts[2].store(in: &set)
      parts[3].store(in: &list)
      #expect(parts.allSatisfy { !$0.isDisposed })
      #expect(set.count + list.count == 2)
    }
    #expect(parts.allSatisfy { $0.isDisposed })
  }

  @Test("AnyCancellable is disposed after its observation has ended")
  func endedCancellable() {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.sink { _ in }
    #expect(!cancellable.isDisposed)
    subject.send(completion: .finished)
    #expect(cancellable.isDisposed)
  }
}
