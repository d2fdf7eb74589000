import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

let bag = DisposeBag()
let searchText = Property("")
let results = Property<[String]>([])

func search(_ text: String) -> SafeSignal<[String]> { SafeSignal(just: [text]) }
