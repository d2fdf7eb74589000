import Foundation
import ReactiveKit

// Declarations that the examples of the page use.

struct User: Equatable {}

struct LoadingFailed: Error {}

final class Screen: LoadingStateListener {
  func setLoadingState<Value, Failure>(_ state: ObservedLoadingState<Value, Failure>) {}
}

let bag = DisposeBag()
nonisolated(unsafe) let screen = Screen()
var loadUser: Signal<User, LoadingFailed> { Signal(just: User()) }
var userSignal: LoadingSignal<User, LoadingFailed> { loadUser.toLoadingSignal() }
let refreshTaps = PassthroughSubject<Void, Never>()
let user = Property<User?>(nil)
let latestUser = Property<User?>(nil)
let friends = Property<[User]>([])

func loadFriends(_ user: User) -> Signal<[User], LoadingFailed> { Signal(just: [user]) }
