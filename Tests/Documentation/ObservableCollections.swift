import Foundation
import ReactiveKit

// Declarations that the examples of the page take for granted.

let bag = DisposeBag()
let names = ObservableCollection(["Ann", "Ben"])
