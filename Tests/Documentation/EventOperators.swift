import Foundation
import ReactiveKit

// What the examples of the page use and do not declare.

struct User {}

struct LoadingFailed: Error {}

let bag = DisposeBag()
var loadUser: Signal<User, LoadingFailed> { Signal(just: User()) }
let user = Property<User?>(nil)
let isLoading = Property(false)
