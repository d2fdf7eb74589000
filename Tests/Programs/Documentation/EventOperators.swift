import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct User {}

struct LoadingFailed: Error {}

let bag = DisposeBag()
var loadUser: Signal<User, LoadingFailed> { Signal(just: User()) }
let user = Property<User?>(nil)
let isLoading = Property(false)
