import ReactiveKit

extension LeakCase {
  static let presetPicker = fine(
    "completed-synchronously", lanes: ["presets.names"],
    .now {
      let picker = PresetPicker()
      picker.load()
      return picker
    })
}

/// A picker that captures itself strongly, but whose signal ends before `observeNext` returns.
final class PresetPicker {
  private var names: [String] = []
  private let bag = DisposeBag()

  func load() {
    Signal<String, Never>(sequence: ["warm", "cold"])
      .traced("presets.names")
      .observeNext { self.names.append($0) }  // observed
      .dispose(in: bag)
  }
}
