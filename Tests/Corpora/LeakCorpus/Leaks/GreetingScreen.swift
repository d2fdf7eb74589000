import ReactiveKit

extension LeakCase {
  static let greetingScreen = cycle(
    "bind-to-target", lanes: ["greeting.name"],
    path: ["closure", "GreetingScreen.label"], also: ["GreetingLabel.bag"], breaks: "closure",
    .now {
      let screen = GreetingScreen()
      GuestBook.name.send("Ada")
      return screen
    })
}

enum GuestBook {
  static let name = PassthroughSubject<String, Never>()
}

final class GreetingLabel: DisposeBagProvider, BindingExecutionContextProvider {
  let bag = DisposeBag()
  var text = ""

  var bindingExecutionContext: ExecutionContext { .immediate }
}

/// A screen whose setter gets the label as an argument, but captures the screen for the greeting.
final class GreetingScreen {
  private let greeting = "Hello"
  private let label = GreetingLabel()

  init() {
    GuestBook.name
      .traced("greeting.name")
      .bind(to: label) { label, name in  // observed
        label.text = "\(self.greeting), \(name)"
      }
  }
}
