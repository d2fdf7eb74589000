import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

final class SearchScreen {
  func show(_ results: [String]) {}
}

struct SearchError: Error {}

nonisolated(unsafe) let screen = SearchScreen()
let query = Property("")
let count = Property(0)
let bag = DisposeBag()

func search(_ query: String) -> Signal<[String], SearchError> { Signal(just: [query]) }
