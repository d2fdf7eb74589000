import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

let bag = DisposeBag()
let total = Property(0)

func expensiveSum() -> Int { (1...1_000).reduce(0, +) }
