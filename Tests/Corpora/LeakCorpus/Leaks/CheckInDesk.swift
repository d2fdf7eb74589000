import ReactiveKit
import ReactiveTrace

extension LeakCase {
  static let checkInDesk = cycle(
    "scope-three-instances", lanes: ["desk.bags"], path: ["closure", "CheckInDesk.bag"],
    breaks: "closure",
    .now {
      var last: CheckInDesk?
      for flight in 1...3 {
        Trace.withScope("check-in") {
          let desk = CheckInDesk()
          desk.open(flight)
          BaggageBelt.bags.send(flight)
          last = desk
        }
      }
      return last
    })
}

enum BaggageBelt {
  static let bags = PassthroughSubject<Int, Never>()
}

/// A desk that is opened in three scopes and outlives each of them because of a retain cycle. All
/// findings are about one mistake.
final class CheckInDesk {
  private var weight = 0
  private let bag = DisposeBag()

  func open(_ flight: Int) {
    BaggageBelt.bags
      .traced("desk.bags")
      .observeNext { self.weight += $0 * flight }  // observed
      .dispose(in: bag)
  }
}
