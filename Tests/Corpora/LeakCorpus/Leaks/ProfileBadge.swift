import Observation
import ReactiveKit

extension LeakCase {
  static let profileBadge = held(
    "observation-on-change", lanes: ["badge.count"], roots: ["ProfileStore.user"],
    path: ["closure at ProfileBadge", "ProfileBadge.bag"], holder: ["ProfileBadge.bag"],
    alive: true,
    .now {
      let badge = ProfileBadge()
      badge.open()
      return badge
    })
}

enum ProfileStore {
  static let count = PassthroughSubject<Int, Never>()
  static let user = ProfileUser()
}

@Observable
final class ProfileUser: @unchecked Sendable {
  var name = "Ada"
}

/// A badge that observes a model that never changes. The closure for the change retains it.
final class ProfileBadge: @unchecked Sendable {
  private var count = 0
  private let bag = DisposeBag()

  func open() {
    ProfileStore.count
      .traced("badge.count")
      .observeNext { [weak self] in self?.count = $0 }  // observed
      .dispose(in: bag)
    _ = withObservationTracking {
      ProfileStore.user.name
    } onChange: {
      self.refresh()
    }
  }

  private func refresh() { count += 1 }
}
