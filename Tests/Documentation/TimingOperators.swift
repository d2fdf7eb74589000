import Foundation
import ReactiveKit

// Declarations that the examples of the page take for granted.

struct TooSlow: Error {}

let bag = DisposeBag()
let searchText = Property("")
