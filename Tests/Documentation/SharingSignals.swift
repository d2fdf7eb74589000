import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

let bag = DisposeBag()
var locationUpdates: SafeSignal<Double> { SafeSignal(just: 1.5) }
var sensor: SafeSignal<Int> { SafeSignal(just: 20) }
