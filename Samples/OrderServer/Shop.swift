/// The items with their prices in cents. An order makes an item more expensive by one cent.
actor Shop {
  private var prices = ["coffee": 899, "cocoa": 649, "tea": 299]
  private var watchers: [Int: (item: String, continuation: AsyncStream<Int>.Continuation)] = [:]
  private var watcherCount = 0

  private let bank: Bank

  init(bank: Bank) {
    self.bank = bank
  }

  /// Pays an order and returns its total in cents.
  func buy(_ order: Order) async throws -> Int {
    let total = try price(of: order.item) * order.quantity
    try await bank.charge(total, to: order.card)
    raisePrice(of: order.item)
    return total
  }

  /// Returns the price of an item now, and each time that it changes.
  func watch(_ item: String) throws -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(try price(of: item))
    watcherCount += 1
    let number = watcherCount
    watchers[number] = (item, continuation)
    continuation.onTermination = { _ in Task { await self.removeWatcher(number) } }
    return stream
  }

  private func removeWatcher(_ number: Int) {
    watchers[number] = nil
  }

  private func raisePrice(of item: String) {
    let raised = (prices[item] ?? 0) + 1
    prices[item] = raised
    for watcher in watchers.values where watcher.item == item {
      watcher.continuation.yield(raised)
    }
  }

  private func price(of item: String) throws(ShopError) -> Int {
    guard let price = prices[item] else {
      throw ShopError(
        description: "'\(item)' isn't for sale. The shop has "
          + "\(prices.keys.sorted().joined(separator: ", ")).")
    }
    return price
  }
}

struct ShopError: Error, CustomStringConvertible {
  let description: String
}
