import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

let bag = DisposeBag()
let taps = PassthroughSubject<Int, Never>()
let shakes = PassthroughSubject<String, Never>()
let words = Property(["a", "few"])
