import ReactiveKit

extension LeakCase {
  static let hotelSearch = cycle(
    "share-observer-self", lanes: ["hotel.results"], path: ["closure", "HotelSearch.bag"],
    breaks: "closure",
    .now {
      let search = HotelSearch()
      Reception.rooms.send("double")
      return search
    })
}

enum Reception {
  static let rooms = PassthroughSubject<String, Never>()
}

/// An observer of a shared signal. Only the subscription of the connection is traced, and it is
/// retained through the observer of the shared signal.
final class HotelSearch {
  private var shown: [String] = []
  private let bag = DisposeBag()

  init() {
    Reception.rooms
      .traced("hotel.results")
      .share(limit: 1)
      .observeNext { self.show($0) }  // observed
      .dispose(in: bag)
  }

  private func show(_ room: String) { shown.append(room) }
}
