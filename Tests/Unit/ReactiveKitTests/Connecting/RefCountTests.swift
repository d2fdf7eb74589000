import ReactiveKit
import TestSupport
import Testing

@Suite("refCount", .ownThread)
struct RefCountTests {
  /// A connectable signal as a client would write it.
  private final class Connectable: ConnectableSignalProtocol {
    typealias Element = Int
    typealias Error = Never

    let subject = ReplayOneSubject<Int, Never>()
    private(set) var connections = 0

    func observe(with observer: @escaping Observer<Int, Never>) -> any Disposable {
      subject.observe(with: observer)
    }

    func connect() -> any Disposable {
      connections += 1
      return SimpleDisposable()
    }
  }

  private func generic<C: ConnectableSignalProtocol>(_ connectable: C)
    -> Signal<C.Element, C.Error>
  {
    connectable.refCount()
  }

  @Test("refCount doesn't connect for an observer that is satisfied by replayed elements")
  func satisfied() {
    let connectable = Connectable()
    connectable.subject.send(1)
    let shared = generic(connectable)
    #expect(shared.first().elements == [1])
    #expect(connectable.connections == 0)
    #expect(shared.elements == [1])
    #expect(connectable.connections == 1)
  }

  @Test(
    "refCount connects once for all observers, disconnects with the last one, and connects again")
  func counting() {
    var log = ""
    let source = Signal<Int, Never> { _ in
      log += "c"
      return BlockDisposable { log += "d" }
    }
    let shared = source.publish().refCount()
    for _ in 0..<2 {
      let disposables = (0..<3).map { _ in shared.observeNext { _ in } }
      disposables.forEach { $0.dispose() }
    }
    #expect(log == "cdcd")
  }

  @Test(
    "refCount connects after a disconnection if an observer arrives during it",
    arguments: [true, false])
  func comingWhileDisconnecting(onOtherThread: Bool) {
    var log = ""
    var second: (any Disposable)?
    var observe: () -> Void = {}
    var connections = 0
    let source = Signal<Int, Never> { observer in
      connections += 1
      log += "c"
      observer.receive(connections)
      return BlockDisposable {
        if onOtherThread { _ = onAnotherThread { observe() } } else { observe() }
        log += "d"
      }
    }
    let shared = source.publish().refCount()
    let recorder = EventRecorder<Int, Never>()
    let first = shared.observeNext { _ in }
    observe = { second = shared.observe { recorder.on($0) } }
    first.dispose()
    observe = {}
    #expect(log == "cdc")
    #expect(recorder.drawn == "2")
    second?.dispose()
    #expect(log == "cdcd")
  }

  @Test("refCount doesn't connect for an observer that comes and goes during a disconnection")
  func goneWhileDisconnecting() {
    var connections = 0
    var observe: () -> Void = {}
    let source = Signal<Int, Never> { _ in
      connections += 1
      return BlockDisposable { observe() }
    }
    let shared = source.publish().refCount()
    let first = shared.observeNext { _ in }
    observe = { shared.observeNext { _ in }.dispose() }
    first.dispose()
    #expect(connections == 1)
    observe = {}
    shared.observeNext { _ in }.dispose()
    #expect(connections == 2)
  }

  @Test("refCount has at most one connection while threads come and go, and none at the end")
  func threads() {
    let (active, most) = (Counts(), Counts())
    let source = Signal<Int, Never> { _ in
      most.raise(to: active.add(1))
      return BlockDisposable { _ = active.add(-1) }
    }
    let shared = Unchecked(source.publish().refCount())
    onThreads(3) { _ in
      for _ in 0..<200 { shared.value.observeNext { _ in }.dispose() }
    }
    #expect(most.value == 1)
    #expect(active.value == 0)
  }
}

/// A number that several threads change.
private final class Counts: Sendable {
  private let number = Locked(0)

  var value: Int { number.withLock { $0 } }

  func add(_ change: Int) -> Int {
    number.withLock { number in
      number += change
      return number
    }
  }

  func raise(to other: Int) {
    number.withLock { $0 = max($0, other) }
  }
}
