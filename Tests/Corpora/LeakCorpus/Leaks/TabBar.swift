import ReactiveKit

extension LeakCase {
  static let tabBar = held(
    "path-weak-table", lanes: ["tabs.titles"], roots: ["openTabBar"],
    also: ["TabBar.bag", "TabBar.titles"], alive: true,
    .now {
      let bar = TabBar()
      openTabBar = bar
      bar.start()
      bar.titles.send("Home")
      return bar
    })
}

@MainActor var openTabBar: TabBar?

/// A tab that references its bar weakly.
struct Tab {
  weak var bar: TabBar?
  unowned let owner: TabBar
}

/// A bar whose tabs lead back to it, but don't retain it.
final class TabBar {
  let titles = PassthroughSubject<String, Never>()
  private var tabs: [String: Tab] = [:]
  private var selected = ""
  private let bag = DisposeBag()

  func start() {
    tabs["home"] = Tab(bar: self, owner: self)
    titles
      .traced("tabs.titles")
      .observeNext { [tabs] in tabs["home"]?.owner.selected = $0 }  // observed
      .dispose(in: bag)
  }
}
