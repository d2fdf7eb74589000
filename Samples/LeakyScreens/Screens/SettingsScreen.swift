import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let settings = Lesson(
    name: "SettingsScreen",
    lane: "settings.theme",
    mistake: "The subscription of a screen is in the bag of a service that lives on.",
    cure: "Put the subscription into a bag of the screen.",
    leaky: {
      let screen = SettingsScreen()
      screen.open()
      ThemeService.shared.theme.value = "dark"
    },
    cured: {
      let screen = CuredSettingsScreen()
      screen.open()
      ThemeService.shared.theme.value = "dark"
    })
}

private final class ThemeService: Sendable {
  static let shared = ThemeService()

  let theme = Property("light")
  let bag = DisposeBag()
}

/// A screen with the theme.
private final class SettingsScreen {
  private var theme = ""

  func open() {
    ThemeService.shared.theme
      .lane("settings.theme")
      .observeNext { [weak self] in self?.theme = $0 }  // observed
      .dispose(in: ThemeService.shared.bag)
  }
}

private final class CuredSettingsScreen {
  private var theme = ""
  private let bag = DisposeBag()

  func open() {
    ThemeService.shared.theme
      .lane("settings.theme")
      .observeNext { [weak self] in self?.theme = $0 }
      .dispose(in: bag)
  }
}
