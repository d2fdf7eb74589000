import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct SearchError: Error {}

let bag = DisposeBag()
let searchText = Property("")
let results = Property<[String]>([])

func search(_ text: String) -> Signal<[String], SearchError> { Signal(just: [text]) }
