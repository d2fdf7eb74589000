import ReactiveKit

extension LeakCase {
  static let paletteView = fine(
    "observable-object-weak", lanes: ["palette.changes"],
    .now {
      let view = PaletteView()
      view.appear()
      view.model.color = "blue"
      return view
    })
}

final class PaletteModel: ObservableObject {
  @Published var color = "red"
}

/// A view that redraws itself when its model changes, if it still exists.
final class PaletteView {
  let model = PaletteModel()
  private var drawings = 0
  private var subscription: AnyCancellable?

  func appear() {
    subscription = model.objectWillChange
      .traced("palette.changes")
      .sink { [weak self] in self?.drawings += 1 }  // observed
  }
}
