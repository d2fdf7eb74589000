import ReactiveKit
import TestSupport
import Testing

@Suite("LoadingProperty", .ownThread)
struct LoadingPropertyTests {
  private typealias States = LoadingSignal<Int, TestError>
  private typealias State = LoadingState<Int, TestError>

  /// Returns a property that loads with one signal after the other.
  private func property(_ signals: [States]) -> LoadingProperty<Int, TestError> {
    var rest = signals[...]
    return LoadingProperty { rest.popFirst() ?? .never() }
  }

  @Test("A property loads for an observer that arrives after an abandoned reload")
  func abandoned() {
    let property = property([.never(), .loaded(7)])
    property.reload().observeNext { _ in }.dispose()
    #expect(property.elements == [.loading, .loaded(7)])
  }

  @Test("A property loads for an observer that arrives after a reload failed silently")
  func failedSilently() {
    let property = property([.failed(TestError()), .loaded(7)])
    #expect(property.reload().elements == [.loading, .failed(TestError())])
    #expect(property.loadingState == .loading)
    #expect(property.elements == [.loading, .loaded(7)])
  }

  @Test("A property doesn't load again while it is loading, has a value or has failed")
  func once() {
    var loads = 0
    let subject = PassthroughSubject<State, Never>()
    let property = LoadingProperty<Int, TestError> {
      loads += 1
      return subject.toSignal()
    }
    let (first, firstDisposable) = property.record()
    let (second, secondDisposable) = property.record()
    #expect(loads == 1)
    subject.send(.loaded(1))
    #expect(property.elements == [.loaded(1)])
    subject.send(lastElement: .failed(TestError()))
    #expect(property.elements == [.failed(TestError())])
    #expect(loads == 1)
    #expect(first.elements == [.loading, .loaded(1), .failed(TestError())])
    #expect(second.elements == first.elements)
    firstDisposable.dispose()
    secondDisposable.dispose()
  }

  @Test("A property loads once for observers that arrive at the same time")
  func atOnce() {
    for _ in 0..<50 {
      let loads = Counter()
      let property = LoadingProperty<Int, TestError> {
        _ = loads.next()
        return .loaded(1)
      }
      let observed = Unchecked(property)
      onThreads(2) { _ in observed.value.observeNext { _ in }.dispose() }
      #expect(loads.next() == 2)
    }
  }

  @Test("A property is deallocated after observers and a reload ended at the same time")
  func simultaneousEnds() {
    for _ in 0..<50 {
      weak var observed: LoadingProperty<Int, TestError>?
      do {
        let property = LoadingProperty<Int, TestError> { .never() }
        observed = property
        // After they have run, the threads may still retain this box, but not the property.
        let box = Unchecked(Box(property))
        onThreads(3) { number in
          guard let property = box.value.property else { return }
          let disposable =
            number == 0
            ? property.reload().observeNext { _ in } : property.observeNext { _ in }
          disposable.dispose()
        }
        box.value.property = nil
      }
      #expect(observed == nil)
    }
  }

  private final class Box {
    var property: LoadingProperty<Int, TestError>?

    init(_ property: LoadingProperty<Int, TestError>) {
      self.property = property
    }
  }

  @Test("A reload sends loading first", arguments: [true, false])
  func reload(silently: Bool) {
    let property = property([.loaded(1), .loaded(2)])
    #expect(property.reload(silently: silently).elements == [.loading, .loaded(1)])
    let (recorder, disposable) = property.record()
    #expect(property.reload(silently: silently).elements == [.loading, .loaded(2)])
    let seen: [State] = silently ? [.loaded(1), .loaded(2)] : [.loaded(1), .loading, .loaded(2)]
    #expect(recorder.elements == seen)
    disposable.dispose()
  }

  @Test("A property keeps its value when its signal sends loading")
  func keepsValue() {
    let subject = PassthroughSubject<State, Never>()
    let property = property([subject.toSignal()])
    let (recorder, disposable) = property.record()
    subject.send(.loaded(1))
    subject.send(.loading)
    #expect(property.value == 1)
    #expect(recorder.elements == [.loading, .loaded(1)])
    disposable.dispose()
  }

  @Test("Observers keep a property alive while it loads, and it completes after the load")
  func keptByObservers() {
    let source = PassthroughSubject<State, Never>()
    func makeProperty() -> LoadingProperty<Int, TestError> {
      LoadingProperty { source.toSignal() }
    }
    let (recorder, disposable) = makeProperty().record()
    source.send(.loaded(7))
    source.send(.loaded(8))
    source.send(completion: .finished)
    #expect(recorder.drawn == "[loading][loaded(7)][loaded(8)]|")
    disposable.dispose()
  }

  @Test("A property is deallocated with its last observer while it loads, and its load is disposed")
  func deallocated() {
    var disposals = 0
    var property: LoadingProperty<Int, TestError>? = LoadingProperty {
      States { _ in BlockDisposable { disposals += 1 } }
    }
    let observations = (0..<2).map { _ in property?.observeNext { _ in } }
    property = nil
    observations[0]?.dispose()
    #expect(disposals == 0)
    observations[1]?.dispose()
    #expect(disposals == 1)
  }

  @Test("A property without observers is deallocated while it loads, and its load is disposed")
  func deallocatedUnobserved() {
    var disposals = 0
    var property: LoadingProperty<Int, TestError>? = LoadingProperty {
      States { _ in BlockDisposable { disposals += 1 } }
    }
    property?.observeNext { _ in }.dispose()
    #expect(disposals == 0)
    property = nil
    #expect(disposals == 1)
  }

  @Test(
    "A property loads for observers that an abandoned reload left without a value",
    arguments: [true, false])
  func abandonedWithObservers(silently: Bool) {
    let source = PassthroughSubject<State, Never>()
    let property = property([.never(), source.toSignal()])
    let reload = property.reload(silently: silently).observeNext { _ in }
    let (recorder, disposable) = property.record()
    reload.dispose()
    source.send(.loaded(5))
    #expect(recorder.elements == [.loading, .loaded(5)])
    disposable.dispose()
  }

  @Test("A property loads for observers that a silently failed reload left without a value")
  func failedWithObservers() {
    let (first, second) = (PassthroughSubject<State, Never>(), PassthroughSubject<State, Never>())
    let property = property([first.toSignal(), second.toSignal()])
    let (reload, reloadDisposable) = property.reload().record()
    let (recorder, disposable) = property.record()
    first.send(lastElement: .failed(TestError()))
    #expect(reload.isCompleted)
    second.send(.loaded(5))
    #expect(recorder.elements == [.loading, .loaded(5)])
    reloadDisposable.dispose()
    disposable.dispose()
  }

  @Test("A property loads for observers whose value a reload removed but didn't replace")
  func takenValue() {
    let property = property([.loaded(1), .never(), .loaded(2)])
    let (recorder, disposable) = property.record()
    property.reload(silently: false).observeNext { _ in }.dispose()
    #expect(recorder.elements == [.loaded(1), .loading, .loaded(2)])
    disposable.dispose()
  }

  @Test("A property loads only once after a reload that sends no value")
  func noValue() {
    var loads = 0
    let property = LoadingProperty<Int, TestError> {
      loads += 1
      return .completed()
    }
    let (recorder, disposable) = property.record()
    #expect(loads == 1)
    #expect(property.reload().elements == [.loading])
    #expect(loads == 3)
    #expect(recorder.elements == [.loading])
    disposable.dispose()
  }

  @Test("A property doesn't load for an observer that was disposed before")
  func disposedObserver() {
    var loads = 0
    let property = LoadingProperty<Int, TestError> {
      loads += 1
      return .never()
    }
    let stop = PassthroughSubject<Void, Never>()
    Signal<State, TestError>.failed(TestError()).flatMapError {
      _ -> LoadingProperty<Int, TestError> in
      stop.send()
      return property
    }.prefix(untilOutputFrom: stop).observeNext { _ in }.dispose()
    #expect(loads == 0)
    property.reload().observeNext { _ in }.dispose()
    property.prefix(maxLength: 1).observeNext { _ in }.dispose()
    #expect(loads == 1)
  }
}
