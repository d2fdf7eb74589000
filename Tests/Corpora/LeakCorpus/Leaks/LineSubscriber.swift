import ReactiveKit

extension LeakCase {
  static let lineSubscriber = cycle(
    "own-subscriber", lanes: ["lines.received"], path: ["LineSubscriber.subscription"],
    .now {
      let subscriber = LineSubscriber()
      Socket.lines.traced("lines.received").subscribe(subscriber)  // observed
      Socket.lines.send("hello")
      return subscriber
    })
}

enum Socket {
  static let lines = PassthroughSubject<String, Never>()
}

/// A subscriber that stores its subscription to cancel it. The subscription retains it.
final class LineSubscriber: Subscriber {
  typealias Input = String
  typealias Failure = Never

  private var subscription: (any Subscription)?
  private var lines: [String] = []

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ line: String) -> Subscribers.Demand {
    lines.append(line)
    return .unlimited
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }
}
