import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

final class SearchScreen: ReactiveKit.ObservableObject {
  @Published var query = ""
}

struct SearchError: Error {}

nonisolated(unsafe) let screen = SearchScreen()
nonisolated(unsafe) var cancellables: Set<AnyCancellable> = []
let bag = DisposeBag()
let center = NotificationCenter.default
let name = Notification.Name("changed")

func search(_ query: String) -> Signal<[String], SearchError> { Signal(just: [query]) }

func show(_ results: [String]) {}
