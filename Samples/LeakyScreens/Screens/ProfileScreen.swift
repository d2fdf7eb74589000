import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let profile = Lesson(
    name: "ProfileScreen",
    lane: "profile.name",
    mistake: "The closure of observeNext holds the screen, and the screen holds its bag.",
    cure: "Capture self weakly.",
    leaky: {
      let screen = ProfileScreen()
      screen.open()
      Account.name.send("Ada")
    },
    cured: {
      let screen = CuredProfileScreen()
      screen.open()
      Account.name.send("Ada")
    })
}

private enum Account {
  static let name = PassthroughSubject<String, Never>()
}

/// A screen with the name of the user.
private final class ProfileScreen {
  private var title = ""
  private let bag = DisposeBag()

  func open() {
    Account.name
      .lane("profile.name")
      .observeNext { name in self.title = name }  // observed, mistake
      .dispose(in: bag)
  }
}

private final class CuredProfileScreen {
  private var title = ""
  private let bag = DisposeBag()

  func open() {
    Account.name
      .lane("profile.name")
      .observeNext { [weak self] name in self?.title = name }
      .dispose(in: bag)
  }
}
