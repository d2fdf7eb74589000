import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct TooSlow: Error {}

let bag = DisposeBag()
let searchText = Property("")
