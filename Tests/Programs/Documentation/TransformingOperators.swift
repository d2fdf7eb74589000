import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

let bag = DisposeBag()
let taps = PassthroughSubject<Int, Never>()
let shakes = PassthroughSubject<String, Never>()
let words = Property(["a", "few"])
