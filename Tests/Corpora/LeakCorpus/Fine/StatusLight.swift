import ReactiveKit

extension LeakCase {
  static let statusLight = fine(
    "assign-to-other", lanes: ["light.colors"],
    .now {
      let light = StatusLight()
      let panel = LightPanel(light)
      LightSwitch.colors.send("green")
      return panel
    })
}

enum LightSwitch {
  static let colors = PassthroughSubject<String, Never>()
}

final class StatusLight {
  var color = "off"
}

/// A panel that assigns to an object that doesn't reference the panel.
final class LightPanel {
  private var subscriptions: [AnyCancellable] = []

  init(_ light: StatusLight) {
    LightSwitch.colors
      .traced("light.colors")
      .assign(to: \.color, on: light)  // observed
      .store(in: &subscriptions)
  }
}
