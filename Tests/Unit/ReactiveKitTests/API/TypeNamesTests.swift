import Dispatch
import ReactiveKit
import TestSupport
import Testing

@Suite("Names of types", .ownThread)
struct TypeNamesTests {
  @Test("An event reports its kind, element and error")
  func events() {
    let events: [Numbers.Event] = [.next(1), .failed(TestError()), .completed]
    #expect(events.map(\.element) == [1, nil, nil])
    #expect(events.map(\.error) == [nil, TestError(), nil])
    #expect(events.map(\.isNext) == [true, false, false])
    #expect(events.map(\.isFailed) == [false, true, false])
    #expect(events.map(\.isCompleted) == [false, false, true])
    #expect(events.map(\.isTerminal) == [false, true, true])
  }

  @Test("Observers forward the events that they receive")
  func observers() {
    var log = ""
    let closure: Observer<Int, TestError> = { log += $0.isNext ? "n" : "t" }
    let safe: SafeObserver<Int> = { log += "\($0.element ?? 0)" }
    safe(.next(5))
    let any = AnyObserver<Int, TestError>(observer: closure)
    any.receive(1)
    any.receive(lastElement: 2)
    any.toObserver()(.next(3))
    let void = AnyObserver<Void, Never> { _ in log += "v" }
    void.receive()
    let atomic = AtomicObserver<Int, TestError>(closure)
    atomic.attach { observer in
      observer.receive(1)
      return BlockDisposable { log += "d" }
    }
    #expect(!atomic.isDisposed)
    atomic.receive(completion: .finished)
    atomic.receive(9)
    #expect(atomic.isDisposed)
    atomic.dispose()
    #expect(log == "5nntnvndt")
  }

  @Test("Disposables and bags dispose their contents")
  func disposables() {
    var log = ""
    func block(_ name: String) -> BlockDisposable { BlockDisposable { log += name } }
    NonDisposable.instance.dispose()
    let simple = SimpleDisposable(isDisposed: false)
    simple.dispose()
    #expect(simple.isDisposed)
    let deinitDisposable = DeinitDisposable(disposable: block("a"))
    #expect(deinitDisposable.otherDisposable != nil)
    deinitDisposable.dispose()
    let composite = CompositeDisposable([block("b")])
    composite.add(disposable: block("c"))
    composite += block("d")
    composite.dispose()
    composite += block("e")
    let serial = SerialDisposable(otherDisposable: block("f"))
    serial.otherDisposable = block("g")
    serial.dispose()
    let bag = DisposeBag()
    bag.add(disposable: block("h"))
    bag.add(disposables: [block("i")])
    bag += block("j")
    bag += [block("k")]
    #expect(!bag.isDisposed)
    bag.dispose()
    #expect(bag.isDisposed)
    let bagProtocol: any DisposeBagProtocol = bag
    block("l").dispose(in: bagProtocol)
    block("m").store(in: bag)
    bag.dispose()
    let cancellable: any Cancellable = AnyCancellable { log += "n" }
    cancellable.cancel()
    AnyCancellable(block("o")).cancel()
    #expect(CompositeDisposable().isDisposed == false)
    #expect(log == "abcdeghijklmno")
  }

  @Test("A subject ends, and replays the elements that it keeps")
  func subjects() {
    let passthrough = PassthroughSubject<Int, TestError>()
    let replay = ReplaySubject<Int, TestError>(bufferSize: 2)
    let replayAll = ReplaySubject<Int, TestError>()
    let one = ReplayOneSubject<Int, TestError>()
    let safe = SafeReplaySubject<Int>(bufferSize: 1)
    let safeOne = SafeReplayOneSubject<Int>()
    let all: [Subject<Int, TestError>] = [passthrough, replay, replayAll, one]
    for subject in all {
      subject.send(1)
      subject.send(2)
      subject.send(lastElement: 3)
      subject.send(4)
      #expect(subject.isTerminated)
    }
    #expect(all.map(\.drawn) == ["|", "23|", "123|", "3|"])
    safe.send(completion: .finished)
    safeOne.send(1)
    #expect(safe.drawn + safeOne.drawn == "|1")
    let void = PassthroughSubject<Void, Never>()
    let (recorder, disposable) = void.record()
    void.send()
    SafeSignal(just: ()).bind(to: void)
    #expect(recorder.elements.count == 2)
    void.disposeBag.dispose()
    disposable.dispose()
    let loading = ReplayLoadingValueSubject<Int, TestError, Never>(bufferSize: 1)
    for state: LoadingState<Int, TestError> in [.loaded(1), .loaded(2), .loading] {
      loading.send(state)
    }
    #expect(loading.drawn == "[loaded(2)][loading]")
    loading.send(completion: .finished)
    #expect(loading.drawn == "[loaded(2)][loading]|")
  }

  @Test("A property and its read-only view share a value")
  func properties() {
    let property = Property(1)
    let custom = Property(1, subject: PassthroughSubject())
    let view: AnyProperty<Int> = property.readOnlyView
    property.value = 2
    custom.value = 2
    property.silentUpdate(value: 3)
    #expect(view.value == 3)
    #expect(AnyProperty(property: custom).value == 2)
    property.send(4)
    SafeSignal(just: 5).bind(to: property)
    SafeSignal(just: 6).bind(to: Property<Int?>(nil))
    #expect(property.value == 5)
    property.bag.dispose()
    func read<P: PropertyProtocol>(_ property: P) -> P.ProperyElement { property.value }
    #expect(read(property) == 5)
  }

  @Test("Execution contexts and schedulers run their work")
  func contexts() {
    var log = ""
    ExecutionContext { $0() }.execute { log += "a" }
    ExecutionContext.immediate.context { log += "b" }
    ExecutionContext.nonRecursive().schedule { log += "c" }
    #expect(log == "abc")
    let queue = DispatchQueue(label: "names")
    let contexts: [ExecutionContext] = [
      .immediateOnMain, .main, .global(), .global(qos: .userInitiated), queue.context,
    ]
    #expect(contexts.count == 5)
    let done = Flag()
    queue.disposableAfter(when: 1000) { Issue.record("was disposed") }.dispose()
    _ = queue.disposableAfter(when: 0.001) { done.raise() }
    #expect(done.wait())
    func schedule<S: Scheduler>(_ scheduler: S, _ action: @escaping () -> Void) {
      scheduler.schedule(action)
    }
    let ran = Flag()
    schedule(queue) { ran.raise() }
    #expect(ran.wait())
  }

  @Test("A published property notifies observers of its object before it changes")
  func published() {
    class Base: ObservableObject {
      @Published var name = "a"
    }
    final class Object: Base {
      @Published var age = 1
    }
    let object = Object()
    var log = ""
    let bag = DisposeBag()
    bag += object.objectWillChange.observeNext { log += "<\(object.name)\(object.age)>" }
    bag += object.$age.observeNext { log += "\($0)" }
    object.age = 2
    object.name = "b"
    #expect(log == "1<a1>2<a2>")
    let publisher: Published<Int>.Publisher = object.$age
    #expect(publisher.drawn == "2")
    bag.dispose()
  }

  @Test("The reactive namespace gives access to its base")
  func reactive() {
    final class Label: ReactiveExtensionsProvider {
      let text = "x"
    }
    let label = Label()
    #expect(label.reactive.base.text == "x")
    #expect(Label.reactive == Reactive<Label>.self)
  }
}
