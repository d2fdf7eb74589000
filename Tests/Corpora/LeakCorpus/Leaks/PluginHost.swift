import Foundation
import ReactiveKit

extension LeakCase {
  static let pluginHost = held(
    "ns-mutable-dictionary", lanes: ["plugin.events"], roots: ["PluginTable.hosts"],
    path: ["PluginHost.bag"], holder: ["PluginHost.bag"], alive: true,
    .now {
      let host = PluginHost()
      host.load()
      return host
    })
}

enum PluginTable {
  static let events = PassthroughSubject<String, Never>()
  nonisolated(unsafe) static let hosts = NSMutableDictionary()
}

/// A host that registers itself in a table of older code.
final class PluginHost {
  private var events: [String] = []
  private let bag = DisposeBag()

  func load() {
    PluginTable.events
      .traced("plugin.events")
      .observeNext { [weak self] in self?.events.append($0) }  // observed
      .dispose(in: bag)
    PluginTable.hosts["spelling"] = self
  }
}
