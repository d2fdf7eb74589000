import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct User {}

struct LoadingFailed: Error {}

final class Label: DisposeBagProvider {
  let bag = DisposeBag()
  var text = ""
}

let bag = DisposeBag()
let searchText = Property("")
let length = Property(0)
let name = Property("")
let nameField = Property("")
nonisolated(unsafe) let label = Label()
var loadUser: Signal<User, LoadingFailed> { Signal(just: User()) }
