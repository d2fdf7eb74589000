import ReactiveKit
import Synchronization

extension LeakCase {
  static let tenantRegistry = held(
    "path-mutex-identifier", lanes: ["tenant.requests"], roots: ["TenantRegistry.shared"],
    path: ["TenantSession.bag"], also: ["TenantRegistry.sessions"],
    holder: ["bag", "TenantSession.bag"], alive: true,
    .now {
      let session = TenantSession()
      session.open()
      TenantRegistry.shared.sessions["acme"] = session
      return session
    })
}

enum TenantEvents {
  static let requests = PassthroughSubject<String, Never>()
}

@MainActor
final class TenantRegistry {
  static let shared = TenantRegistry()
  var sessions: [String: TenantSession] = [:]
}

/// A counter with mutexes that contain only its owner's address, or a weak reference to it.
final class RequestCounter: Sendable {
  struct Observer {
    weak var session: TenantSession?
    unowned let owner: TenantSession
  }

  let owner = Mutex<ObjectIdentifier?>(nil)
  let requests = Mutex<(UInt, Unmanaged<TenantSession>?)>((0, nil))
  let observer = Mutex<Observer?>(nil)
}

final class TenantSession: @unchecked Sendable {
  let bag = DisposeBag()
  private let counter = RequestCounter()

  func open() {
    counter.owner.withLock { $0 = ObjectIdentifier(self) }
    counter.requests.withLock { $0 = (0, Unmanaged.passUnretained(self)) }
    counter.observer.withLock { $0 = RequestCounter.Observer(session: self, owner: self) }
    TenantEvents.requests
      .traced("tenant.requests")
      .observeNext { [counter] _ in counter.requests.withLock { $0.0 += 1 } }  // observed
      .dispose(in: bag)
  }
}
