import ReactiveKit

extension LeakCase {
  static let linkRouter = cycle(
    "dictionary-of-closures", lanes: ["router.links"],
    path: ["LinkRouter.handlers", "closure"], also: ["LinkRouter.bag"], breaks: "closure",
    .now {
      let router = LinkRouter()
      router.start()
      Browser.links.send("help")
      return router
    })
}

enum Browser {
  static let links = PassthroughSubject<String, Never>()
}

/// A router with a closure for each kind of link. The closures retain the router.
final class LinkRouter {
  private var handlers: [String: (String) -> Void] = [:]
  private var opened: [String] = []
  private let bag = DisposeBag()

  func start() {
    handlers["help"] = { self.opened.append("help: \($0)") }
    Browser.links
      .traced("router.links")
      .observeNext { [weak self] link in self?.handlers[link]?(link) }  // observed
      .dispose(in: bag)
  }
}
