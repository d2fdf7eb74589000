import ReactiveKit
import Synchronization

extension LeakCase {
  static let connectionPool = cycle(
    "cycle-mutex", lanes: ["pool.events"], path: ["closure", "PooledConnection.bag"],
    also: ["PooledConnection.slots", "PoolSlots.connections"], breaks: "closure",
    .now {
      let connection = PooledConnection()
      connection.open()
      return connection
    })
}

enum PoolEvents {
  static let opened = PassthroughSubject<Int, Never>()
}

/// The open connections, which several threads change.
final class PoolSlots: Sendable {
  let connections = Mutex<[PooledConnection]>([])

  func keep(_ count: Int) {
    connections.withLock { $0.removeLast(max(0, $0.count - count)) }
  }
}

final class PooledConnection: @unchecked Sendable {
  let bag = DisposeBag()
  private let slots = PoolSlots()

  func open() {
    slots.connections.withLock { $0.append(self) }
    PoolEvents.opened
      .traced("pool.events")
      .observeNext { [slots] number in slots.keep(number) }  // observed
      .dispose(in: bag)
  }
}
