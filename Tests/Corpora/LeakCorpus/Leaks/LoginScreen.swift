import ReactiveKit

extension LeakCase {
  static let loginScreen = cycle(
    "superclass-field", lanes: ["login.names"], path: ["closure", "Screen.bag"],
    also: ["LoginScreen.bag", "BaseScreen.bag"], breaks: "closure",
    .now {
      let screen = LoginScreen()
      screen.open()
      LoginField.names.send("ada")
      return screen
    })
}

enum LoginField {
  static let names = PassthroughSubject<String, Never>()
}

/// The part that all screens have in common.
class BaseScreen {
  let bag = DisposeBag()
  var title = ""
}

final class LoginScreen: BaseScreen {
  private var name = ""

  func open() {
    LoginField.names
      .traced("login.names")
      .observeNext { self.name = $0 }  // observed
      .dispose(in: bag)
  }
}
