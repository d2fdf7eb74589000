import Synchronization

extension ObjectCase {
  /// The reference is in a property of an unusual form.
  static var storageLeaks: [ObjectCase] {
    [
      .leak("property-wrapper", .cycle(["Draft._text"], leaked: ["Draft": 1])) {
        let draft = Draft()
        draft.text = draft
      },
      .leak("tuple", .cycle(["Couple.both"], leaked: ["Couple": 1])) {
        let couple = Couple()
        couple.both = (1, couple)
      },
      .leak("optional-struct", .cycle(["Trip.ticket"], leaked: ["Trip": 1])) {
        let trip = Trip()
        trip.ticket = TripTicket(price: 3, trip: trip)
      },
      .leak(
        "lazy-property",
        .cycle(
          ["Gallery.grid", "GalleryGrid.owner"],
          leaked: ["Gallery": 1, "GalleryGrid": 1])
      ) {
        _ = Gallery().grid
      },
      .leak("noncopyable-struct", .cycle(["Device.handle"], leaked: ["Device": 1])) {
        let device = Device()
        device.handle = DeviceHandle(number: 1, device: device)
      },
      .leak("inline-array", .cycle(["Bench.seats"], leaked: ["Bench": 1])) {
        let bench = Bench()
        bench.seats[1] = bench
      },
      .leak(
        "managed-buffer-header",
        .cycle(
          through: ["RingOwner.ring"],
          leaked: ["RingOwner": 1, "HeaderRing": 1])
      ) {
        let owner = RingOwner()
        owner.ring = HeaderRing.make(owner)
      },
      .leak(
        "managed-buffer-elements",
        .cycle(
          through: ["TailOwner.tail"],
          leaked: ["TailOwner": 1, "TailBuffer": 1])
      ) {
        let owner = TailOwner()
        owner.tail = TailBuffer.make(owner)
      },
      .leak(
        "mutex",
        .cycle(["Account.session", "Session.account"], leaked: ["Account": 1, "Session": 1])
      ) {
        let account = Account()
        account.session.withLock { $0 = Session(account) }
      },
      .leak(
        "atomic-lazy-reference",
        .cycle(
          ["Book.index", "BookIndex.book"],
          leaked: ["Book": 1, "BookIndex": 1])
      ) {
        let book = Book()
        _ = book.index.storeIfNil(BookIndex(book))
      },
      // The word in the atomic value owns a retain count, but its type isn't a strong reference.
      .leak(
        "atomic-unmanaged",
        .cycle(withRawReference: ["Cup.drink", "Drink.cup"], leaked: ["Cup": 1, "Drink": 1])
      ) {
        let cup = Cup()
        cup.drink.store(Unmanaged.passRetained(Drink(cup)), ordering: .sequentiallyConsistent)
      },
      .leak(
        "unowned-optional-and-strong",
        .cycle(
          ["Couch.cushions", "Cushion.strong"],
          leaked: ["Couch": 1, "Cushion": 2])
      ) {
        let couch = Couch()
        for _ in 0..<2 { couch.cushions.append(Cushion(couch)) }
      },
    ]
  }
}

@propertyWrapper
private struct Clamped<Value> {
  private var stored: Value?
  private var writes = 0

  init() { stored = nil }

  var wrappedValue: Value? {
    get { stored }
    set {
      writes += 1
      stored = newValue
    }
  }
}

private final class Draft {
  @Clamped<Draft> var text

  init() { Life.begin(self, "Draft") }
  deinit { Life.end("Draft") }
}

private final class Couple {
  var both: (Int, Couple?) = (0, nil)

  init() { Life.begin(self, "Couple") }
  deinit { Life.end("Couple") }
}

private struct TripTicket {
  let price: Double
  let trip: Trip
}

private final class Trip {
  var ticket: TripTicket?

  init() { Life.begin(self, "Trip") }
  deinit { Life.end("Trip") }
}

private final class Gallery {
  lazy var grid = GalleryGrid(owner: self)

  init() { Life.begin(self, "Gallery") }
  deinit { Life.end("Gallery") }
}

private final class GalleryGrid {
  private let owner: Gallery

  init(owner: Gallery) {
    self.owner = owner
    Life.begin(self, "GalleryGrid")
  }
  deinit { Life.end("GalleryGrid") }
}

private struct DeviceHandle: ~Copyable {
  let number: Int
  let device: Device
}

private final class Device {
  var handle: DeviceHandle?

  init() { Life.begin(self, "Device") }
  deinit { Life.end("Device") }
}

private final class Bench {
  var seats = InlineArray<3, Bench?>(repeating: nil)

  init() { Life.begin(self, "Bench") }
  deinit { Life.end("Bench") }
}

private final class RingOwner {
  var ring: HeaderRing?

  init() { Life.begin(self, "RingOwner") }
  deinit { Life.end("RingOwner") }
}

private final class HeaderRing: ManagedBuffer<(count: Int, owner: RingOwner), Int> {
  static func make(_ owner: RingOwner) -> HeaderRing {
    let buffer = create(minimumCapacity: 4) { _ in (0, owner) }
    Life.begin(buffer, "HeaderRing")
    return unsafeDowncast(buffer, to: HeaderRing.self)
  }
  deinit { Life.end("HeaderRing") }
}

private final class TailOwner {
  var tail: TailBuffer?

  init() { Life.begin(self, "TailOwner") }
  deinit { Life.end("TailOwner") }
}

private final class TailBuffer: ManagedBuffer<Int, TailOwner> {
  static func make(_ owner: TailOwner) -> TailBuffer {
    let buffer = create(minimumCapacity: 4) { _ in 2 }
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: owner, count: 2) }
    Life.begin(buffer, "TailBuffer")
    return unsafeDowncast(buffer, to: TailBuffer.self)
  }
  deinit {
    withUnsafeMutablePointers { _ = $1.deinitialize(count: $0.pointee) }
    Life.end("TailBuffer")
  }
}

private final class Account {
  let session = Mutex<Session?>(nil)

  init() { Life.begin(self, "Account") }
  deinit { Life.end("Account") }
}

private final class Session {
  private let account: Account

  init(_ account: Account) {
    self.account = account
    Life.begin(self, "Session")
  }
  deinit { Life.end("Session") }
}

private final class Book {
  let index = AtomicLazyReference<BookIndex>()

  init() { Life.begin(self, "Book") }
  deinit { Life.end("Book") }
}

private final class BookIndex {
  private let book: Book

  init(_ book: Book) {
    self.book = book
    Life.begin(self, "BookIndex")
  }
  deinit { Life.end("BookIndex") }
}

private final class Cup {
  let drink = Atomic<Unmanaged<Drink>?>(nil)

  init() { Life.begin(self, "Cup") }
  deinit {
    drink.exchange(nil, ordering: .sequentiallyConsistent)?.release()
    Life.end("Cup")
  }
}

private final class Drink {
  private let cup: Cup

  init(_ cup: Cup) {
    self.cup = cup
    Life.begin(self, "Drink")
  }
  deinit { Life.end("Drink") }
}

private final class Couch {
  var cushions: [Cushion] = []

  init() { Life.begin(self, "Couch") }
  deinit { Life.end("Couch") }
}

private final class Cushion {
  private unowned var couch: Couch?
  private unowned(unsafe) let unsafeCouch: Couch
  private weak var weakCouch: Couch?
  private let strong: Couch

  init(_ couch: Couch) {
    self.couch = couch
    unsafeCouch = couch
    weakCouch = couch
    strong = couch
    Life.begin(self, "Cushion")
  }
  deinit { Life.end("Cushion") }
}
