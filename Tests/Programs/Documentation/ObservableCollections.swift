import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

let bag = DisposeBag()
let names = ObservableCollection(["Ann", "Ben"])
