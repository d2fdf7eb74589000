import ReactiveKit

extension LeakCase {
  static let packetSubscriber = fine(
    "own-subscriber-canceled", lanes: ["packets.received"],
    .now {
      let subscriber = PacketSubscriber()
      Modem.packets.traced("packets.received").subscribe(subscriber)  // observed
      Modem.packets.send("hello")
      subscriber.stop()
      return subscriber
    })
}

enum Modem {
  static let packets = PassthroughSubject<String, Never>()
}

/// A subscriber that stores its subscription and cancels it.
final class PacketSubscriber: Subscriber {
  typealias Input = String
  typealias Failure = Never

  private var subscription: (any Subscription)?
  private var packets: [String] = []

  func stop() {
    subscription?.cancel()
    subscription = nil
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ packet: String) -> Subscribers.Demand {
    packets.append(packet)
    return .unlimited
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }
}
