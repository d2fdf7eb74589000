import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

let bag = DisposeBag()
let names = ObservableCollection(["Ann", "Ben"])
