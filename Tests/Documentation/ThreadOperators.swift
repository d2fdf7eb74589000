import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

let bag = DisposeBag()
let total = Property(0)

func expensiveSum() -> Int { (1...1_000).reduce(0, +) }
