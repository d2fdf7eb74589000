import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let login = Lesson(
    name: "LoginScreen",
    lane: "login.enabled",
    mistake: "assign(to:on:) holds the screen, and the screen holds the cancellable.",
    cure: "Use sink with a closure that captures self weakly.",
    leaky: {
      let screen = LoginScreen()
      screen.open()
      Server.isReachable.send(true)
    },
    cured: {
      let screen = CuredLoginScreen()
      screen.open()
      Server.isReachable.send(true)
    })
}

private enum Server {
  static let isReachable = PassthroughSubject<Bool, Never>()
}

/// A screen with a button that is enabled while the server can be reached.
private final class LoginScreen {
  private var isEnabled = false
  private var subscriptions: Set<AnyCancellable> = []

  func open() {
    Server.isReachable
      .lane("login.enabled")
      .assign(to: \.isEnabled, on: self)  // observed
      .store(in: &subscriptions)
  }
}

private final class CuredLoginScreen {
  private var isEnabled = false
  private var subscriptions: Set<AnyCancellable> = []

  func open() {
    Server.isReachable
      .lane("login.enabled")
      .sink { [weak self] in self?.isEnabled = $0 }
      .store(in: &subscriptions)
  }
}
