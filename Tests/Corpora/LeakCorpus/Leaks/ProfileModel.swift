import ReactiveKit

extension LeakCase {
  static let profileModel = cycle(
    "sink-in-set", lanes: ["profile.name"], path: ["closure", "ProfileModel.subscriptions"],
    breaks: "closure",
    .now {
      let model = ProfileModel()
      Account.name.send("Ada")
      return model
    })
}

enum Account {
  static let name = PassthroughSubject<String, Never>()
}

/// A model that stores its subscriptions in a set, as with Combine.
final class ProfileModel {
  private var title = ""
  private var subscriptions = Set<AnyCancellable>()

  init() {
    Account.name
      .traced("profile.name")
      .sink { self.title = $0 }  // observed
      .store(in: &subscriptions)
  }
}
