import ReactiveKit

extension LeakCase {
  static let signUpScreen = fine(
    "superclass-field-weak", lanes: ["signup.names"],
    .now {
      let screen = SignUpScreen()
      screen.open()
      SignUpField.names.send("ada")
      return screen
    })
}

enum SignUpField {
  static let names = PassthroughSubject<String, Never>()
}

/// The part that all pages have in common.
class BasePage {
  let bag = DisposeBag()
  var title = ""
}

final class SignUpScreen: BasePage {
  private var name = ""

  func open() {
    SignUpField.names
      .traced("signup.names")
      .observeNext { [weak self] in self?.name = $0 }  // observed
      .dispose(in: bag)
  }
}
