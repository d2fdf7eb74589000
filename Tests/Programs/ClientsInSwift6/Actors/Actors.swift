import ReactiveKit

extension ActorCase {
  static let actors = [
    ActorCase(name: "An actor that observes in one of its methods") {
      let measures = Property(21.5)
      let station = WeatherStation()
      await station.follow(measures)
      return await station.latest == 21.5
    } runsElsewhere: {
      let measures = Property(21.5)
      let station = WeatherStation()
      await station.follow(measures)
      await elsewhere { measures.value = 22 }
    },
    ActorCase(name: "An actor that observes in its initializer") {
      await Journal(Property("began")).lines == ["began"]
    } runsElsewhere: {
      let texts = Property("began")
      let journal = await Journal(texts)
      await elsewhere { texts.value = "ended" }
      withExtendedLifetime(journal) {}
    },
    ActorCase(name: "A function with an isolated parameter") {
      let measures = Property(21.5)
      let station = WeatherStation()
      await follow(measures, for: station)
      return await station.latest == 21.5
    } runsElsewhere: {
      let measures = Property(21.5)
      let station = WeatherStation()
      await follow(measures, for: station)
      await elsewhere { measures.value = 22 }
    },
    ActorCase(name: "An actor that iterates over the elements") {
      let orders = PassthroughSubject<Int, Never>()
      let ledger = Ledger()
      let following = await ledger.follow(orders)
      await elsewhere {
        for order in 1...100 { orders.send(order) }
        orders.send(completion: .finished)
      }
      await following.value
      return await ledger.orders == Array(1...100)
    } runsElsewhere: {
      let orders = PassthroughSubject<Int, Never>()
      let ledger = Ledger()
      await ledger.observe(orders)
      await elsewhere { orders.send(1) }
    },
  ]
}

actor WeatherStation {
  fileprivate(set) var latest = 0.0

  func follow(_ measures: Property<Double>) {
    _ = measures.observeNext { self.latest = $0 }
  }
}

private func follow(_ measures: Property<Double>, for station: isolated WeatherStation) {
  _ = measures.observeNext { station.latest = $0 }
}

actor Journal {
  private(set) var lines: [String] = []

  init(_ texts: Property<String>) async {
    _ = texts.observeNext { self.lines.append($0) }
  }
}

actor Ledger {
  private(set) var orders: [Int] = []

  /// Receives the elements one by one in a task on the actor, which is the correct way.
  func follow(_ source: PassthroughSubject<Int, Never>) -> Task<Void, Never> {
    let arrived = source.toAsyncStream()
    return Task {
      for await order in arrived { orders.append(order) }
    }
  }

  func observe(_ source: PassthroughSubject<Int, Never>) {
    _ = source.observeNext { self.orders.append($0) }
  }
}
