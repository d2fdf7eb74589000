import ReactiveKit
import TestSupport
import Testing

@Suite("Loading signals")
struct LoadingSignalTests {
  private typealias States = LoadingSignal<Int, TestError>
  private typealias Observed = ObservedLoadingState<Int, TestError>

  private final class Listener: LoadingStateListener {
    var states: [Observed] = []

    func setLoadingState<V, E>(_ state: ObservedLoadingState<V, E>) {
      if let state = state as? Observed { states.append(state) }
    }
  }

  @Test("A repeated loading state is sent once")
  func repeatedLoading() {
    let states = States(sequence: [.loading, .loading, .loaded(1), .loading, .loading])
    let expected: [Observed] = [.loading, .loaded(1), .reloading]
    #expect(states.deriveObservedLoadingState().elements == expected)
    let listener = Listener()
    #expect(
      states.updateLoadingState(of: listener, context: .immediate).elements == [
        .loading, .loaded(1), .loading,
      ])
    #expect(listener.states == expected)
    listener.states = []
    #expect(states.consumeLoadingState(by: listener, context: .immediate).elements == [1])
    #expect(listener.states == expected)
  }

  @Test("A repeated value or failure is sent each time")
  func repeatedValues() {
    let states = States(sequence: [
      .loaded(1), .loaded(1), .failed(TestError()), .failed(TestError()),
    ])
    #expect(
      states.deriveObservedLoadingState().elements == [
        .loaded(1), .loaded(1), .failed(TestError()), .failed(TestError()),
      ])
  }

  @Test(
    "The state after a failure is loading or reloading, as requested", arguments: [true, false])
  func loadingAfterFailure(_ loadsAgain: Bool) {
    let states = States(sequence: [.loading, .failed(TestError()), .loading])
    #expect(
      states.deriveObservedLoadingState(loadsAgainOnFailure: loadsAgain).elements == [
        .loading, .failed(TestError()), loadsAgain ? .loading : .reloading,
      ])
  }

  @Test("liftValue continues after a failed load")
  func liftingAfterFailure() {
    let states = States(sequence: [.loading, .failed(TestError()), .loading, .loaded(2)])
    #expect(
      states.liftValue { $0.map { $0 * 10 } }.elements == [
        .loading, .failed(TestError()), .loading, .loaded(20),
      ])
  }

  @Test("liftValue ends with the lifted signal, and its failure becomes a state")
  func liftingEnds() {
    let states = States(sequence: [.loading, .loaded(1), .loading, .loaded(2)])
    let first = states.liftValue { $0.first() }.record().recorder
    #expect(first.elements == [.loading, .loaded(1)])
    #expect(first.isCompleted)
    let failing = states.liftValue {
      $0.tryMap { _ in Result<Int, TestError>.failure(TestError()) }
    }
    #expect(failing.elements == [.loading, .failed(TestError())])
  }

  @Test("reloading(_:) delays each element until the property has reloaded, and fails with it")
  func reloading() {
    var loads = 0
    let property = LoadingProperty<Int, TestError> {
      loads += 1
      return loads == 3 ? .failed(TestError()) : .loaded(loads)
    }
    let numbers = Signal<Int, TestError>(sequence: [1, 2, 3, 4])
    #expect(numbers.reloading(property).drawn == "12!")
    #expect(property.value == 2)
    let states = States(sequence: [.loading, .loaded(5)])
    #expect(states.reloading(property).value().drawn == "5|")
    #expect(property.value == 4)
  }
}
