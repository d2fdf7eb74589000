import ReactiveKit

extension LeakCase {
  static let presenceList = held(
    "task-strong", lanes: ["presence.names"], roots: ["Task", "PresenceServer.names"],
    holder: ["Task"], alive: true,
    .later {
      let list = PresenceList()
      list.start()
      await wait { !list.names.isEmpty }
      return list
    })
}

enum PresenceServer {
  static let names = Property("Ada")
}

/// A list that iterates in a task that can't be canceled.
@MainActor
final class PresenceList {
  private(set) var names: [String] = []

  func start() {
    Task {
      for await name in PresenceServer.names.traced("presence.names").values {  // observed
        self.names.append(name)
      }
    }
  }
}
