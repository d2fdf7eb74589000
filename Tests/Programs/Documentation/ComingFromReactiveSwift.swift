import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

final class SearchScreen {
  func show(_ results: [String]) {}
}

struct SearchError: Error {}

nonisolated(unsafe) let screen = SearchScreen()
let query = Property("")
let results = Property<[String]>([])
let bag = DisposeBag()

func search(_ query: String) -> Signal<[String], SearchError> { Signal(just: [query]) }
