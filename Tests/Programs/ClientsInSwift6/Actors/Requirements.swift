import ReactiveKit

extension ActorCase {
  static let requirements = [
    ActorCase(name: "An observer object of the main actor") {
      let events = PassthroughSubject<Int, Never>()
      let recorder = EventLog()
      await MainActor.run { _ = events.observe(with: recorder) }
      await MainActor.run { events.send(5) }
      return await recorder.lines == ["next(5)"]
    } runsElsewhere: {
      let events = PassthroughSubject<Int, Never>()
      let recorder = EventLog()
      await MainActor.run { _ = events.observe(with: recorder) }
      await elsewhere { events.send(5) }
    },
    ActorCase(name: "A subscriber of the main actor") {
      let numbers = PassthroughSubject<Int, Never>()
      let meter = Meter()
      await MainActor.run { _ = numbers.subscribe(meter) }
      await MainActor.run { numbers.send(6) }
      return await meter.value == 6
    } runsElsewhere: {
      let numbers = PassthroughSubject<Int, Never>()
      let meter = Meter()
      await MainActor.run { _ = numbers.subscribe(meter) }
      await elsewhere { numbers.send(6) }
    },
  ]
}

@MainActor final class EventLog: @preconcurrency ObserverProtocol {
  private(set) var lines: [String] = []

  func on(_ event: Signal<Int, Never>.Event) { lines.append("\(event)") }
}

@MainActor final class Meter: @preconcurrency Subscriber {
  private(set) var value = 0

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Int) -> Subscribers.Demand {
    value = input
    return .unlimited
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
