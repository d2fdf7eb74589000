import ReactiveKit

extension LeakCase {
  static let consentDialog = held(
    "task-unresumed-continuation", lanes: ["consent.answers"],
    roots: ["Task at ConsentDialog.swift:33"], path: ["waits for a continuation"],
    also: ["ConsentDialog.bag"], holder: ["Task"], alive: true,
    .later {
      let dialog = ConsentDialog()
      dialog.ask()
      await wait { dialog.isAsking }
      return dialog
    })
}

enum Consent {
  static let answers = PassthroughSubject<Bool, Never>()
}

/// A dialog whose task waits for an answer that never arrives. Canceling doesn't help.
@MainActor
final class ConsentDialog {
  private(set) var isAsking = false
  private let bag = DisposeBag()

  func ask() {
    Consent.answers
      .traced("consent.answers")
      .observeNext { [weak self] _ in self?.isAsking = false }  // observed
      .dispose(in: bag)
    Task {
      isAsking = true
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      isAsking = false
    }
  }
}
