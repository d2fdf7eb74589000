import Observation
import ReactiveKit

extension LeakCase {
  static let nicknameField = fine(
    "observation-changed", lanes: ["nickname.texts"],
    .now {
      let field = NicknameField()
      field.open()
      AccountStore.account.name = "Grace"
      return field
    })
}

enum AccountStore {
  static let texts = PassthroughSubject<String, Never>()
  static let account = ObservedAccount()
}

@Observable
final class ObservedAccount: @unchecked Sendable {
  var name = "Ada"
}

/// A field that is retained until a single change, which does happen.
final class NicknameField: @unchecked Sendable {
  private var text = ""
  private let bag = DisposeBag()

  func open() {
    AccountStore.texts
      .traced("nickname.texts")
      .observeNext { [weak self] in self?.text = $0 }  // observed
      .dispose(in: bag)
    _ = withObservationTracking {
      AccountStore.account.name
    } onChange: {
      self.text = "changed"
    }
  }
}
