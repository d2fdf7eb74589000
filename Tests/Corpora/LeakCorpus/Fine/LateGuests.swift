import ReactiveKit

extension LeakCase {
  static let lateGuests = fine(
    "share-late-observers", lanes: ["guests.menu", "guests.guest"],
    .now {
      let party = LateGuests()
      party.open()
      BuffetKitchen.dishes.send("soup")
      BuffetKitchen.dishes.send("fish")
      party.admitOthers()
      party.close()
      party.open()
      BuffetKitchen.dishes.send("cake")
      party.close()
      return party
    })
}

enum BuffetKitchen {
  static let dishes = PassthroughSubject<String, Never>()
}

/// A dinner whose late guests get the same dishes from the replay. After all guests have left, the
/// signal is connected a second time.
final class LateGuests {
  private var plates: [[String]] = [[], [], []]
  private let menu = BuffetKitchen.dishes.map { "a " + $0 }.traced("guests.menu").share(limit: 2)
  private let bag = DisposeBag()

  func open() { admit(0) }

  func admitOthers() { for guest in plates.indices.dropFirst() { admit(guest) } }

  private func admit(_ guest: Int) {
    menu
      .traced("guests.guest")
      .observeNext { [weak self] in self?.plates[guest].append($0) }  // observed
      .dispose(in: bag)
  }

  func close() { bag.dispose() }
}
