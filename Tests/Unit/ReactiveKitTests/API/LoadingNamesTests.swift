import ReactiveKit
import TestSupport
import Testing

private typealias State = LoadingState<Int, TestError>
private typealias Observed = ObservedLoadingState<Int, TestError>

private final class Listener: LoadingStateListener, BindingExecutionContextProvider {
  var log = ""
  var bindingExecutionContext: ExecutionContext { .immediate }

  func setLoadingState<V, E>(_ state: ObservedLoadingState<V, E>) {
    switch state {
    case .loading: log += "l"
    case .reloading: log += "r"
    case .loaded(let value): log += "\(value)"
    case .failed: log += "!"
    }
  }
}

@Suite("Names of loading signals and states")
struct LoadingNamesTests {
  private let states = LoadingSignal<Int, TestError>(
    sequence: [.loading, .loaded(1), .loading, .failed(TestError()), .loading])

  @Test("A loading state reports its value, error and kind")
  func values() {
    let all: [State] = [.loading, .loaded(1), .failed(TestError())]
    #expect(all.map(\.isLoading) == [true, false, false])
    #expect(all.map(\.value) == [nil, 1, nil])
    #expect(all.map(\.error) == [nil, nil, TestError()])
    #expect(all[0].isSameStateAs(State.loading) && !all[0].isSameStateAs(all[1]))
    #expect(all.map { $0.asLoadingState } == all)
    let observed: [Observed] = [.loading, .reloading, .loaded(1), .failed(TestError())]
    #expect(observed.map(\.isReloading) == [false, true, false, false])
    #expect(observed.map(\.isLoading) == [true, true, false, false])
    #expect(observed.map { $0.asLoadingState } == [.loading] + all)
    #expect(observed.map(\.value) == [nil, nil, 1, nil])
    #expect(observed[1].isSameStateAs(Observed.reloading))
    #expect(all[1].asObservedLoadingState == .loaded(1))
    func describe<S: LoadingStateProtocol>(_ state: S) -> String where S.LoadingValue == Int {
      "\(state.value ?? 0)\(state.error == nil)\(state.isLoading)"
    }
    func describe<S: ObservedLoadingStateProtocol>(observed state: S) -> String
    where S.LoadingValue == Int {
      "\(state.value ?? 0)\(state.error == nil)\(state.isLoading)\(state.isReloading)"
    }
    #expect(describe(all[1]) == "1truefalse")
    #expect(describe(observed: observed[1]) == "0truetruetrue")
    #expect(!observed[0].isSameStateAs(all[1]) && observed[2].isSameStateAs(all[1]))
  }

  @Test("Operators on loading signals convert states, values and errors")
  func operators() {
    #expect(states.value().drawn == "1|")
    #expect(states.mapValue { $0 + 1 }.value().drawn == "2|")
    #expect(states.mapLoadingError { _ in OtherError() }.value().drawn == "1|")
    #expect(states.dematerializeLoadingState().drawn == "1!")
    #expect(
      states.deriveObservedLoadingState().elements == [
        .loading, .loaded(1), .reloading, .failed(TestError()), .loading,
      ])
    #expect(
      states.deriveObservedLoadingState(loadsAgainOnFailure: false).elements.last == .reloading)
    #expect(numbers.toLoadingSignal().elements == [.loading, .loaded(1), .loaded(2), .loaded(3)])
    #expect(oneAndFailure.toLoadingSignal().elements.last == .failed(TestError()))
    let doubled = states.flatMapValue(.latest) { LoadingSignal<Int, TestError>.loaded($0 * 2) }
    #expect(doubled.value().drawn == "2|")
    let lifted = states.liftValue { $0.map { "\($0)!" } }
    #expect(
      lifted.elements == [
        .loading, .loaded("1!"), .loading, .failed(TestError()), .loading,
      ])
    #expect(
      LoadingSignal<Int, TestError>.loaded(1).reloading(SafeSignal(sequence: [(), ()])).value()
        .drawn == "111|")
    let loads = SafeSignal(sequence: [1, 2]).reloading { LoadingSignal<Int, TestError>.loaded($0) }
    #expect(loads.value().drawn == "12|")
    #expect(
      SafeSignal(just: 1).reloading(
        { LoadingSignal<Int, TestError>.loaded($0) }, strategy: .concat
      ).value().drawn == "1|")
  }

  private struct OtherError: Error {}

  @Test("A loading state listener gets each state")
  func listeners() {
    let listener = Listener()
    #expect(listener.loadingStateListenerNeedsWeakReference)
    #expect(states.updateLoadingState(of: listener).value().drawn == "1|")
    #expect(listener.log == "l1r!l")
    _ = states.updateLoadingState(of: listener, context: .immediate).drawn
    #expect(states.consumeLoadingState(by: listener).drawn == "1|")
    #expect(states.consumeLoadingState(by: listener, context: .immediate).drawn == "1|")
  }

  @Test("A loading property loads when it is first observed, and again on request")
  func property() {
    var loads = 0
    let property = LoadingProperty<Int, TestError> {
      LoadingSignal(deferring: {
        loads += 1
        return LoadingSignal<Int, TestError>(sequence: [.loading, .loaded(loads)])
      })
    }
    #expect(property.value == nil)
    #expect(loads == 0)
    let (recorder, disposable) = property.record()
    #expect(property.value == 1)
    #expect(property.drawn == "[loaded(1)]")
    #expect(loads == 1)
    _ = property.reload().drawn
    #expect(property.loadingState == .loaded(2))
    _ = property.reload(silently: false).drawn
    #expect(recorder.elements == [.loaded(1), .loaded(2), .loading, .loaded(3)])
    property.value = 9
    #expect(property.loadingState == .loaded(9))
    property.bag.dispose()
    disposable.dispose()
  }
}
