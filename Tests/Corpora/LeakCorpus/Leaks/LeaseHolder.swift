import ReactiveKit

extension LeakCase {
  static let leaseHolder = cycle(
    "own-disposable-type", lanes: ["lease.renewals"],
    path: ["LeaseHolder.lease", "Lease.holder"], also: ["Lease.subscription"],
    .now {
      let holder = LeaseHolder()
      holder.rent()
      Landlord.renewals.send(1)
      return holder
    })
}

enum Landlord {
  static let renewals = PassthroughSubject<Int, Never>()
}

/// A disposable that wraps another one, and notifies its holder when it is disposed.
final class Lease: Disposable, @unchecked Sendable {
  private let holder: LeaseHolder
  private var subscription: (any Disposable)?

  init(_ subscription: any Disposable, for holder: LeaseHolder) {
    self.subscription = subscription
    self.holder = holder
  }

  var isDisposed: Bool { subscription?.isDisposed ?? true }

  func dispose() {
    subscription?.dispose()
    subscription = nil
    holder.leaseDidEnd()
  }
}

final class LeaseHolder {
  private var lease: Lease?
  private var renewals = 0

  func rent() {
    let subscription = Landlord.renewals
      .traced("lease.renewals")
      .observeNext { [weak self] in self?.renewals = $0 }  // observed
    lease = Lease(subscription, for: self)
  }

  func leaseDidEnd() { renewals = 0 }
}
