import Foundation
import ReactiveKit

extension LeakCase {
  static let localeLabel = fine(
    "notification-observer-removed", lanes: ["label.texts"],
    .now {
      let label = LocaleLabel()
      label.show()
      label.hide()
      return label
    })
}

enum LabelTexts {
  static let texts = PassthroughSubject<String, Never>()
}

/// A label that removes its notification observer when it is hidden.
final class LocaleLabel: @unchecked Sendable {
  private var text = ""
  private let bag = DisposeBag()
  private var token: (any NSObjectProtocol)?

  func show() {
    LabelTexts.texts
      .traced("label.texts")
      .observeNext { [weak self] in self?.text = $0 }  // observed
      .dispose(in: bag)
    token = NotificationCenter.default.addObserver(
      forName: Notification.Name("locale"), object: nil, queue: nil
    ) { _ in self.text = "" }
  }

  func hide() {
    if let token { NotificationCenter.default.removeObserver(token) }
    token = nil
  }
}
