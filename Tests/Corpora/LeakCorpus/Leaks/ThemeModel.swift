import ReactiveKit

extension LeakCase {
  static let themeModel = cycle(
    "observable-object", lanes: ["theme.changes"], path: ["closure"],
    also: ["ThemeView.subscription", "ThemeView.model", "ThemeModel._name", "ThemeModel._size"],
    breaks: "closure",
    .now {
      let view = ThemeView()
      view.appear()
      view.model.name = "dark"
      return view
    })
}

final class ThemeModel: ObservableObject {
  @Published var name = "light"
  @Published var size = 12
}

/// A view that redraws itself when its model changes.
final class ThemeView {
  let model = ThemeModel()
  private var drawings = 0
  private var subscription: AnyCancellable?

  func appear() {
    subscription = model.objectWillChange
      .traced("theme.changes")
      .sink { self.drawings += 1 }  // observed
  }
}
