import ReactiveKit

extension LeakCase {
  static let alertSheet = cycle(
    "optional-closure", lanes: ["alert.texts"], path: ["AlertSheet.onClose", "closure"],
    also: ["AlertSheet.bag"], breaks: "closure",
    .now {
      let sheet = AlertSheet()
      sheet.open()
      Alerts.texts.send("Disk full")
      return sheet
    })
}

enum Alerts {
  static let texts = PassthroughSubject<String, Never>()
}

/// A sheet whose `onClose` closure retains it.
final class AlertSheet {
  var onClose: (() -> Void)?
  private var text = ""
  private let bag = DisposeBag()

  func open() {
    onClose = { self.text = "" }
    Alerts.texts
      .traced("alert.texts")
      .observeNext { [unowned self] in text = $0 }  // observed
      .dispose(in: bag)
  }
}
