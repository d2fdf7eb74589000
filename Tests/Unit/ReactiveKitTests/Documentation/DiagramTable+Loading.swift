import ReactiveKit
import TestSupport

extension DiagramTable {
  static var loading: [String: Play] {
    [
      "toLoadingSignal()": { $0["source"].toLoadingSignal().letters },
      "value()": { $0.states.value() },
      "dematerializeLoadingState()": { $0.states.dematerializeLoadingState() },
      "reloading(trigger)": { $0.states.reloading($0.safe("trigger")).letters },
      "deriveObservedLoadingState()": {
        $0.states.deriveObservedLoadingState().map { $0.isReloading ? "r" : $0.letter }
      },
    ]
  }
}

extension DiagramStage {
  /// The source as loading states.
  fileprivate var states: LoadingSignal<String, TestError> {
    safe("source").map { element in
      switch element {
      case "l": .loading
      case "f": .failed(TestError())
      default: .loaded(element)
      }
    }
  }
}

extension LoadingStateProtocol where LoadingValue == String {
  /// The letter for the state in a diagram.
  fileprivate var letter: String {
    switch asLoadingState {
    case .loading: "l"
    case .loaded(let value): value
    case .failed: "f"
    }
  }
}

extension SignalProtocol where Element: LoadingStateProtocol, Element.LoadingValue == String {
  fileprivate var letters: Signal<String, Error> { map(\.letter) }
}
