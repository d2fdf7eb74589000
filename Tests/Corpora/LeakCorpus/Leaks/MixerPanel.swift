import ReactiveKit

extension LeakCase {
  static let mixerPanel = cycle(
    "combine-latest", lanes: ["mixer.level"], path: ["closure", "MixerPanel.bag"],
    breaks: "closure",
    .now {
      let panel = MixerPanel()
      panel.open()
      Channels.left.send(1)
      Channels.right.send(2)
      return panel
    })
}

enum Channels {
  static let left = PassthroughSubject<Int, Never>()
  static let right = PassthroughSubject<Int, Never>()
}

/// A panel that joins two channels in its own method.
final class MixerPanel {
  private var balance = 3
  private var level = 0
  private let bag = DisposeBag()

  func open() {
    Channels.left
      .combineLatest(with: Channels.right) { self.mix($0, $1) }
      .traced("mixer.level")
      .observeNext { [weak self] in self?.level = $0 }  // observed
      .dispose(in: bag)
  }

  private func mix(_ left: Int, _ right: Int) -> Int { (left + right) * balance }
}
