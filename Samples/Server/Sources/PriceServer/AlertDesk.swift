import Synchronization

/// The alert sessions of all clients.
final class AlertDesk: Sendable {
  private let sessions = Mutex<[ObjectIdentifier: AlertSession]>([:])

  /// The number of sessions that are open.
  var count: Int { sessions.withLock { $0.count } }

  func open(feed: Market.Feed, above limit: Int) -> AlertSession {
    let session = AlertSession(feed: feed, above: limit)
    sessions.withLock { $0[ObjectIdentifier(session)] = session }
    return session
  }

  func close(_ session: AlertSession) {
    sessions.withLock { $0[ObjectIdentifier(session)] = nil }
  }
}
