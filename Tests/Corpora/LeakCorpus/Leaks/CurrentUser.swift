import ReactiveKit

extension LeakCase {
  static let currentUser = cycle(
    "property-and-binding", lanes: ["user.name"], path: ["closure"],
    also: ["UserMenu.user", "UserMenu.bag", "CurrentUser.name"],
    breaks: "closure",
    .now {
      let menu = UserMenu(CurrentUser())
      menu.user.name.value = "Ada"
      return menu
    })
}

final class CurrentUser {
  let name = Property("nobody")
}

/// A menu that retains the user whose property it observes.
final class UserMenu {
  let user: CurrentUser
  private let name = Property("")
  private let bag = DisposeBag()

  init(_ user: CurrentUser) {
    self.user = user
    user.name
      .traced("user.name")
      .observeNext { self.name.value = "Hello \($0)" }  // observed
      .dispose(in: bag)
  }
}
