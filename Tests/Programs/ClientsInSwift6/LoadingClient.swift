import Foundation
import ReactiveKit

enum FetchError: Error, Equatable {
  case offline
}

/// A model that loads, reloads and shows, like the view models of an app.
final class Profile {
  var fetches = 0
  lazy var name = LoadingProperty<String, FetchError> { [unowned self] in
    self.fetches += 1
    return Signal(just: "name \(self.fetches)").toLoadingSignal()
  }

  func saved(_ number: Int) -> Signal<Int, FetchError> {
    Signal<Int, FetchError>(just: number).reloading(name)
  }

  func savedStates(_ number: Int) -> LoadingSignal<Int, FetchError> {
    LoadingSignal<Int, FetchError>.loaded(number).reloading(name)
  }
}

final class Screen: LoadingStateListener, BindingExecutionContextProvider {
  var shown: [String] = []
  var bindingExecutionContext: ExecutionContext { return .immediate }

  func setLoadingState<LoadingValue, LoadingError>(
    _ state: ObservedLoadingState<LoadingValue, LoadingError>
  ) {
    switch state {
    case .loading: shown.append("loading")
    case .reloading: shown.append("reloading")
    case .loaded(let value): shown.append("\(value)")
    case .failed(let error): shown.append("\(error)")
    }
  }
}

func loadingClient() -> [String] {
  let bag = DisposeBag()
  var log: [String] = []

  let profile = Profile()
  profile.saved(1).observeNext { log.append("saved \($0)") }.dispose(in: bag)
  profile.savedStates(2).value().observeNext { log.append("saved \($0)") }.dispose(in: bag)
  log.append(profile.name.value ?? "none")

  let loading = LoadingSignal<Int, FetchError>.loaded(1)
  loading.flatMapValue { Signal<String, FetchError>(just: "\($0)!") }
    .value().observeNext { log.append($0) }.dispose(in: bag)
  loading.flatMapValue(.concat) { Signal<String, FetchError>(just: "\($0)?") }
    .value().observeNext { log.append($0) }.dispose(in: bag)
  loading.flatMapValue { LoadingSignal<String, FetchError>.loaded("\($0).") }
    .value().observeNext { log.append($0) }.dispose(in: bag)
  loading.flatMapValue(.merge) { _ in .failed(.offline) }
    .observeNext { (state: LoadingState<Int, FetchError>) in
      if let error = state.error { log.append("\(error)") }
    }.dispose(in: bag)
  loading
    .liftValue { (x: Signal<Int, FetchError>) -> LoadingSignal<Int, FetchError> in
      x.toLoadingSignal()
    }
    .value().observeNext { log.append("lifted \($0)") }.dispose(in: bag)
  loading.liftValue { $0.map { "\($0)" }.removeDuplicates() }
    .value().observeNext { log.append("lifted \($0)") }.dispose(in: bag)

  let screen = Screen()
  let states = LoadingSignal<Int, FetchError>(
    sequence: [.loading, .loading, .loaded(1), .loading, .loading])
  let observed = states.deriveObservedLoadingState()
  observed.consumeLoadingState(by: screen, context: .immediate).observeNext { _ in }.dispose(
    in: bag)
  observed.consumeLoadingState(by: screen).observeNext { _ in }.dispose(in: bag)
  observed.updateLoadingState(of: screen, context: .immediate)
    .observeNext { (state: ObservedLoadingState<Int, FetchError>) in
      if state.asLoadingState.isLoading { log.append("busy") }
    }.dispose(in: bag)
  observed.updateLoadingState(of: screen).observeNext { _ in }.dispose(in: bag)
  states.consumeLoadingState(by: screen).observeNext { log.append("\($0)") }.dispose(in: bag)
  states.updateLoadingState(of: screen, context: .immediate)
    .observeNext { (_: LoadingState<Int, FetchError>) in }.dispose(in: bag)

  bag.dispose()
  return log + screen.shown
}
