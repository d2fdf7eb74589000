import Foundation
import ReactiveKit

// Declarations that the examples of the page take for granted.

let bag = DisposeBag()
let searchText = Property("")
let results = Property<[String]>([])

func search(_ text: String) -> SafeSignal<[String]> { SafeSignal(just: [text]) }
