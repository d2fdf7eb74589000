import ReactiveKit

extension LeakCase {
  static let sliderPanel = cycle(
    "method-of-other-object", lanes: ["slider.values"],
    path: ["method reference", "captures SliderSetter", "SliderSetter.panel", "SliderPanel.bag"],
    breaks: "method reference",
    .now {
      let panel = SliderPanel()
      panel.open()
      Sliders.values.send(0.5)
      return panel
    })
}

enum Sliders {
  static let values = PassthroughSubject<Double, Never>()
}

/// A panel that observes with a method of a helper, which references the panel.
final class SliderPanel {
  var value = 0.0
  private let bag = DisposeBag()

  func open() {
    let setter = SliderSetter(self)
    Sliders.values
      .traced("slider.values")
      .observeNext(with: setter.set)  // observed
      .dispose(in: bag)
  }
}

final class SliderSetter {
  private let panel: SliderPanel

  init(_ panel: SliderPanel) { self.panel = panel }

  func set(_ value: Double) { panel.value = value }
}
