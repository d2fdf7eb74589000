import Dispatch
import Foundation

private let bothStarted = Meeting()

/// Two threads that continue when both have arrived.
private final class Meeting: Sendable {
  private let arrivals = DispatchGroup()

  init() {
    arrivals.enter()
    arrivals.enter()
  }

  func arrive() {
    arrivals.leave()
    arrivals.wait()
  }
}

/// Two shared objects whose initializers need each other.
final class Catalog: Sendable {
  static let shared = Catalog()  // culprit: initializers
  let count: Int

  private init() {
    bothStarted.arrive()
    count = Prices.shared.count  // culprit: initializers
  }
}

final class Prices: Sendable {
  static let shared = Prices()  // culprit: initializers
  let count: Int

  private init() {
    bothStarted.arrive()
    count = Catalog.shared.count  // culprit: initializers
  }
}

@inline(never)
public func openCatalog() -> Int {
  _ = bothStarted
  let thread = Thread { _ = Prices.shared }
  thread.start()
  return Catalog.shared.count
}

/// A shared object whose initializer needs itself.
final class Settings: Sendable {
  static let shared = Settings()  // culprit: ownInitializer
  let name: String

  private init() { name = defaultName(2) }  // culprit: ownInitializer

  static let prefix = "shop"
}

@inline(never)
private func defaultName(_ count: Int) -> String {
  String(repeating: Settings.shared.name, count: count)  // culprit: ownInitializer
}

public func settingsName() -> String { Settings.shared.name }

/// A global whose initializer waits for a queue that needs the global.
private let inventory: Int = loadInventory()

private func loadInventory() -> Int {
  let loaded = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    if inventory >= 0 { loaded.signal() }  // culprit: initializerQueue
  }
  loaded.wait()  // culprit: initializerQueue
  return 1
}

public func countInventory() -> Int { inventory }
