import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

struct SearchError: Error {}

let bag = DisposeBag()
let searchText = Property("")
let results = Property<[String]>([])

func search(_ text: String) -> Signal<[String], SearchError> { Signal(just: [text]) }
