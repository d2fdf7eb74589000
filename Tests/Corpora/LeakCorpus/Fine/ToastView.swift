import Dispatch
import ReactiveKit

extension LeakCase {
  static let toastView = fine(
    "dispatch-after-weak", lanes: ["toast.texts"],
    .now {
      let toast = ToastView()
      toast.show()
      return toast
    })
}

enum ToastCenter {
  static let texts = PassthroughSubject<String, Never>()
}

/// A view that hides itself later, if it still exists.
final class ToastView: @unchecked Sendable {
  private var text = ""
  private let bag = DisposeBag()

  func show() {
    ToastCenter.texts
      .traced("toast.texts")
      .observeNext { [weak self] in self?.text = $0 }  // observed
      .dispose(in: bag)
    DispatchQueue.main.asyncAfter(deadline: .now() + 3600) { [weak self] in self?.text = "" }
    DispatchQueue.main.async { [weak self] in self?.text = "shown" }
  }
}
