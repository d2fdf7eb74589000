import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

let bag = DisposeBag()
var locationUpdates: SafeSignal<Double> { SafeSignal(just: 1.5) }
var sensor: SafeSignal<Int> { SafeSignal(just: 20) }
