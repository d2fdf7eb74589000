import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

struct TooSlow: Error {}

let bag = DisposeBag()
let searchText = Property("")
