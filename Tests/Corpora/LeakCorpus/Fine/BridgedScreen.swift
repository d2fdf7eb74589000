import ReactiveKit

extension LeakCase {
  static let bridgedScreen = fine(
    "unmanaged-self", lanes: ["bridged.texts"],
    .now {
      let screen = BridgedScreen()
      screen.open()
      BridgedSource.texts.send("fine")
      return screen
    })
}

enum BridgedSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A screen that captures its own address, as code for C callbacks does.
final class BridgedScreen {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open() {
    let address = Unmanaged.passUnretained(self).toOpaque()
    BridgedSource.texts
      .traced("bridged.texts")
      .observeNext { text in  // observed
        Unmanaged<BridgedScreen>.fromOpaque(address).takeUnretainedValue().shown.append(text)
      }
      .dispose(in: bag)
  }
}
