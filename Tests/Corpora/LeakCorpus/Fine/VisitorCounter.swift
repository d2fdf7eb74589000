import ReactiveKit

extension LeakCase {
  static let visitorCounter = fine(
    "actor-weak", lanes: ["visitors.new"],
    .later {
      let counter = VisitorCounter()
      await counter.start()
      Entrance.visitors.send(2)
      var sum = 0
      while sum != 2 { sum = await counter.sum }
      return counter
    })
}

enum Entrance {
  static let visitors = PassthroughSubject<Int, Never>()
}

/// An actor that counts visitors from any thread. Its observer captures it weakly.
actor VisitorCounter {
  private(set) var sum = 0
  private let bag = DisposeBag()

  func start() {
    Entrance.visitors
      .traced("visitors.new")
      .observeNext { [weak self] visitors in  // observed
        guard let self else { return }
        Task { await self.add(visitors) }
      }
      .dispose(in: bag)
  }

  private func add(_ visitors: Int) { sum += visitors }
}
