import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

let bag = DisposeBag()
let searchText = Property("")
let results = Property<[String]>([])

func search(_ text: String) -> SafeSignal<[String]> { SafeSignal(just: [text]) }
