import ReactiveKit

extension LeakCase {
  static let walletPresenter = cycle(
    "presenter-and-view", lanes: ["wallet.balance"],
    path: ["WalletView.presenter", "WalletPresenter.view"], also: ["WalletPresenter.bag"],
    breaks: "WalletPresenter.view",
    .now {
      let view = WalletView()
      let presenter = WalletPresenter()
      view.presenter = presenter
      presenter.view = view
      presenter.start()
      return view
    })
}

enum Wallet {
  static let balance = Property(12)
}

/// A view that owns its presenter, which should reference the view weakly.
final class WalletView {
  var presenter: WalletPresenter?
  var text = ""
}

final class WalletPresenter {
  var view: WalletView?
  private let bag = DisposeBag()

  func start() {
    Wallet.balance
      .traced("wallet.balance")
      .observeNext { [weak self] in self?.view?.text = "\($0)" }  // observed
      .dispose(in: bag)
  }
}
