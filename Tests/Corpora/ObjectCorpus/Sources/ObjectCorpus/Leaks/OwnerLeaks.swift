import Foundation

extension ObjectCase {
  /// A reference on the cycle is the only owner of an object that the program needs, so it can't be
  /// weak.
  static var ownerLeaks: [ObjectCase] {
    [
      .leak(
        "owner-lazy-tree",
        .cycle(["Router.root", "Route.router"], leaked: ["Router": 1, "Route": 2])
          .breaking("Route.router", "Make Route.router an optional weak reference")
      ) {
        Router().setUp()
      },
      .leak(
        "owner-lazy-parser",
        .cycle(["Compiler.parser", "Parser.compiler"], leaked: ["Compiler": 1, "Parser": 1])
          .breaking("Parser.compiler", "Make Parser.compiler an optional weak reference")
      ) {
        Compiler().setUp()
      },
      // Either reference can be the only owner, so neither may be weak.
      .leak(
        "owner-unknown",
        .cycle(["Player.engine", "Engine.player"], leaked: ["Player": 1, "Engine": 1])
          .breaking("Player.engine", "Set Player.engine to nil")
      ) {
        Player().setUp()
      },
      .leak(
        "owner-made-at-first",
        .cycle(["Assembler.lexer", "Lexer.sink"], leaked: ["Assembler": 1, "Lexer": 1])
          .breaking("Lexer.sink", "Make Lexer.sink weak")
      ) {
        Assembler().setUp()
      },
      // The account was made for the session, which is its only owner.
      .leak(
        "owner-given",
        .cycle(["Account.session", "Session.account"], leaked: ["Account": 1, "Session": 1])
          .breaking("Account.session", "Set Account.session to nil")
      ) {
        let session = Session(Account())
        session.account.session = session
      },
      // The structure can't be weak, but its property can.
      .leak(
        "owner-in-structure",
        .cycle(
          ["Purchase.terms.customer.buyer", "Buyer.purchases"],
          leaked: ["Purchase": 2, "Buyer": 1]
        )
        .breaking(
          "Purchase.terms.customer.buyer",
          "Make Purchase.terms.customer.buyer an optional weak reference")
      ) {
        let buyer = Buyer()
        for price in 1...2 { buyer.purchases.append(Purchase(price, by: buyer)) }
      },
      // Listeners register themselves. The store doesn't own them.
      .leak(
        "owner-registered",
        .cycle(["Store.listeners", "Label.store"], leaked: ["Store": 1, "Label": 2])
          .breaking("Store.listeners", "Remove the object from Store.listeners")
      ) {
        let store = Store()
        for _ in 0..<2 { store.listeners.append(Label(store)) }
      },
      .leak(
        "owner-previous",
        .cycle(["Track.next", "Track.previous"], leaked: ["Track": 2])
          .breaking("Track.previous", "Make Track.previous weak")
      ) {
        let first = Track(), second = Track()
        first.next = second
        second.previous = first
      },
      .leak(
        "owner-list",
        .cycle(["Stop.next", "Stop.next"], leaked: ["Stop": 2])
          .breaking("Stop.next", "Set Stop.next to nil")
      ) {
        let first = Stop(), second = Stop()
        first.next = second
        second.next = first
      },
      .leak(
        "owner-lock-closure",
        .cycle(through: ["Counter.state", "closure.self"], leaked: ["Counter": 1])
          .breaking("closure.self", "Capture self weakly")
      ) {
        Counter().setUp()
      },
      .leak(
        "owner-lock-child",
        .cycle(through: ["Vault.state", "Key.vault"], leaked: ["Vault": 1, "Key": 1])
          .breaking("Key.vault", "Make Key.vault an optional weak reference")
      ) {
        Vault().setUp()
      },
      .leak(
        "owner-inner-storage",
        .cycle(["Train.wagons", "Wagon.train"], leaked: ["Train": 1, "Wagon": 2])
          .breaking("Wagon.train", "Make Wagon.train an optional weak reference")
      ) {
        Train().setUp()
      },
      .leak(
        "owner-timer",
        .cycle(
          through: ["Ferry.timer", "closure.self"], or: ["closure.self"], leaked: ["Ferry": 1]
        )
        .breaking("closure.self", "Capture self weakly")
      ) {
        Ferry().setUp()
      },
    ]
  }

  /// An object is the key of its own closure. The identifier of an object doesn't retain it.
  static var identifierLeaks: [ObjectCase] {
    [
      .leak(
        "identifier-key",
        .cycle(
          ["Pane.center", "Center.handlers", "closure.self"], leaked: ["Pane": 1, "Center": 1]
        )
        .breaking("closure.self", "Capture self weakly")
      ) {
        Pane(Center()).setUp()
      },
      .leak(
        "identifier-of-several",
        .cycle(
          ["Pane.center", "Center.handlers", "closure.self"], leaked: ["Pane": 3, "Center": 1]
        )
        .breaking("closure.self", "Capture self weakly")
      ) {
        let center = Center()
        for _ in 0..<3 { Pane(center).setUp() }
      },
      .leak(
        "identifier-in-structure",
        .cycle(["Tab.center", "Center.tabs", "closure.self"], leaked: ["Tab": 1, "Center": 1])
          .breaking("closure.self", "Capture self weakly")
      ) {
        Tab(Center()).setUp()
      },
      .leak(
        "identifier-any-hashable",
        .cycle(["Page.center", "Center.pages", "closure.self"], leaked: ["Page": 1, "Center": 1])
          .breaking("closure.self", "Capture self weakly")
      ) {
        Page(Center()).setUp()
      },
      .leak(
        "identifier-set",
        .cycle(["Frame.onClose", "closure.self"], leaked: ["Frame": 1])
          .breaking("closure.self", "Capture self weakly")
      ) {
        Frame().setUp()
      },
    ]
  }

  /// Two mistakes of the same kind in one class. Each has its own id, whether or not the other one
  /// is also made.
  static var separateLeaks: [ObjectCase] {
    [
      .leak(
        "separate-first", .cycle(["Menu.onTap", "closure.self"], leaked: ["Menu": 1])
      ) {
        Menu().showHelp()
      },
      .leak(
        "separate-second", .cycle(["Menu.onTap", "closure.self"], leaked: ["Menu": 1])
      ) {
        Menu().showLogin()
      },
      .leaks(
        "separate-both",
        .cycle(["Menu.onTap", "closure.self"], leaked: ["Menu": 1]),
        .cycle(["Menu.onTap", "closure.self"], leaked: ["Menu": 1])
      ) {
        Menu().showHelp()
        Menu().showLogin()
      },
      .leaks(
        "separate-same-function",
        .cycle(["Menu.onTap", "closure.self"], leaked: ["Menu": 1]),
        .cycle(["Menu.onHold", "closure.self"], leaked: ["Menu": 1])
      ) {
        Menu().showAll(isTap: true)
        Menu().showAll(isTap: false)
      },
    ]
  }
}

private final class Router {
  lazy var root = Route(self)

  init() { Life.begin(self, "Router") }
  deinit { Life.end("Router") }

  func setUp() { root.children.append(Route(self)) }
}

private final class Route {
  private let router: Router
  var children: [Route] = []

  init(_ router: Router) {
    self.router = router
    Life.begin(self, "Route")
  }
  deinit { Life.end("Route") }
}

private final class Compiler {
  private lazy var parser = Parser(self)

  init() { Life.begin(self, "Compiler") }
  deinit { Life.end("Compiler") }

  func setUp() { parser.lines = 1 }
}

private final class Parser {
  private let compiler: Compiler
  var lines = 0

  init(_ compiler: Compiler) {
    self.compiler = compiler
    Life.begin(self, "Parser")
  }
  deinit { Life.end("Parser") }
}

private final class Player {
  private var engine: Engine?

  init() { Life.begin(self, "Player") }
  deinit { Life.end("Player") }

  func setUp() { engine = Engine(self) }
}

private final class Engine {
  private let player: Player

  init(_ player: Player) {
    self.player = player
    Life.begin(self, "Engine")
  }
  deinit { Life.end("Engine") }
}

private protocol TokenSink: AnyObject {}

private final class Assembler: TokenSink {
  private let lexer = Lexer()

  init() { Life.begin(self, "Assembler") }
  deinit { Life.end("Assembler") }

  func setUp() { lexer.sink = self }
}

private final class Lexer {
  var sink: (any TokenSink)?

  init() { Life.begin(self, "Lexer") }
  deinit { Life.end("Lexer") }
}

private final class Account {
  var session: Session?

  init() { Life.begin(self, "Account") }
  deinit { Life.end("Account") }
}

private final class Session {
  let account: Account

  init(_ account: Account) {
    self.account = account
    Life.begin(self, "Session")
  }
  deinit { Life.end("Session") }
}

private final class Store {
  var listeners: [Label] = []

  init() { Life.begin(self, "Store") }
  deinit { Life.end("Store") }
}

private final class Label {
  private let store: Store

  init(_ store: Store) {
    self.store = store
    Life.begin(self, "Label")
  }
  deinit { Life.end("Label") }
}

private final class Track {
  var next: Track?
  var previous: Track?

  init() { Life.begin(self, "Track") }
  deinit { Life.end("Track") }
}

private final class Stop {
  let name = "a name that isn't stored in the object itself"
  var next: Stop?

  init() { Life.begin(self, "Stop") }
  deinit { Life.end("Stop") }
}

/// A lock around a value, in storage of its own.
private final class LockStorage<Value>: ManagedBuffer<Value, Int> {
  static func make(_ value: Value) -> LockStorage {
    unsafeDowncast(create(minimumCapacity: 1) { _ in value }, to: LockStorage.self)
  }
}

private struct Locked<Value> {
  private let storage: LockStorage<Value>

  init(_ value: Value) { storage = .make(value) }

  func withLock(_ body: (inout Value) -> Void) {
    storage.withUnsafeMutablePointerToHeader { body(&$0.pointee) }
  }
}

private final class Counter {
  private let state = Locked<[() -> Void]>([])
  private var count = 0

  init() { Life.begin(self, "Counter") }
  deinit { Life.end("Counter") }

  func setUp() {
    state.withLock {
      $0.append { self.count += 1 }  // closure: owner-lock-closure
    }
  }
}

private final class Vault {
  private struct State {
    var key: Key?
    var name = "a name that isn't stored in the structure itself"
  }

  private let state = Locked(State())

  init() { Life.begin(self, "Vault") }
  deinit { Life.end("Vault") }

  func setUp() { state.withLock { $0.key = Key(self) } }
}

private final class Key {
  private let vault: Vault

  init(_ vault: Vault) {
    self.vault = vault
    Life.begin(self, "Key")
  }
  deinit { Life.end("Key") }
}

/// A collection with storage of its own.
private struct Row<Element> {
  private final class Buffer: ManagedBuffer<Int, Element> {
    deinit { withUnsafeMutablePointers { _ = $1.deinitialize(count: $0.pointee) } }
  }

  private let buffer = unsafeDowncast(
    Buffer.create(minimumCapacity: 8) { _ in 0 }, to: Buffer.self)

  func append(_ element: Element) {
    buffer.withUnsafeMutablePointers {
      ($1 + $0.pointee).initialize(to: element)
      $0.pointee += 1
    }
  }
}

private final class Train {
  private let wagons = Row<Wagon>()

  init() { Life.begin(self, "Train") }
  deinit { Life.end("Train") }

  func setUp() {
    wagons.append(Wagon(self))
    wagons.append(Wagon(self))
  }
}

private final class Wagon {
  private let train: Train

  init(_ train: Train) {
    self.train = train
    Life.begin(self, "Wagon")
  }
  deinit { Life.end("Wagon") }
}

private final class Purchase {
  struct Customer {
    let buyer: Buyer
    let discount: Int
  }

  struct Terms {
    let price: Int
    let customer: Customer
  }

  private let terms: Terms

  init(_ price: Int, by buyer: Buyer) {
    terms = Terms(price: price, customer: Customer(buyer: buyer, discount: 0))
    Life.begin(self, "Purchase")
  }
  deinit { Life.end("Purchase") }
}

private final class Buyer {
  var purchases: [Purchase] = []

  init() { Life.begin(self, "Buyer") }
  deinit { Life.end("Buyer") }
}

private final class Ferry: @unchecked Sendable {
  private var timer: Timer?
  private var crossings = 0

  init() { Life.begin(self, "Ferry") }
  deinit { Life.end("Ferry") }

  func setUp() {
    timer = Timer(timeInterval: 60, repeats: true) { _ in  // closure: owner-timer
      self.crossings += 1
    }
  }
}

private final class Center {
  struct TabKey: Hashable {
    let object: ObjectIdentifier
    let number: Int
  }

  struct Handler {
    let name: String
    let body: () -> Void
  }

  var handlers: [ObjectIdentifier: () -> Void] = [:]
  var tabs: [TabKey: Handler] = [:]
  var pages: [AnyHashable: () -> Void] = [:]

  init() { Life.begin(self, "Center") }
  deinit { Life.end("Center") }
}

private final class Pane {
  private let center: Center
  private var shown = 0

  init(_ center: Center) {
    self.center = center
    Life.begin(self, "Pane")
  }
  deinit { Life.end("Pane") }

  func setUp() {
    center.handlers[ObjectIdentifier(self)] = {  // closure: identifier-key, identifier-of-several
      self.shown += 1
    }
  }
}

private final class Tab {
  private let center: Center
  private var shown = 0

  init(_ center: Center) {
    self.center = center
    Life.begin(self, "Tab")
  }
  deinit { Life.end("Tab") }

  func setUp() {
    let key = Center.TabKey(object: ObjectIdentifier(self), number: 1)
    center.tabs[key] = Center.Handler(name: "show") {  // closure: identifier-in-structure
      self.shown += 1
    }
  }
}

private final class Page {
  private let center: Center
  private var shown = 0

  init(_ center: Center) {
    self.center = center
    Life.begin(self, "Page")
  }
  deinit { Life.end("Page") }

  func setUp() {
    center.pages[ObjectIdentifier(self)] = {  // closure: identifier-any-hashable
      self.shown += 1
    }
  }
}

private final class Frame {
  private var open: Set<ObjectIdentifier> = []
  private var closed: [ObjectIdentifier] = []
  private var onClose: (() -> Void)?

  init() { Life.begin(self, "Frame") }
  deinit { Life.end("Frame") }

  func setUp() {
    open.insert(ObjectIdentifier(self))
    closed.append(ObjectIdentifier(self))
    onClose = { self.closed = [] }  // closure: identifier-set
  }
}

private final class Menu {
  private var onTap: (() -> Void)?
  private var onHold: (() -> Void)?
  private var taps = 0

  init() { Life.begin(self, "Menu") }
  deinit { Life.end("Menu") }

  func showHelp() {
    onTap = { self.taps += 1 }  // closure: separate-first, separate-both
  }

  func showLogin() {
    onTap = { self.taps += 2 }  // closure: separate-second, separate-both
  }

  func showAll(isTap: Bool) {
    if isTap {
      onTap = { self.taps += 3 }  // closure: separate-same-function
    } else {
      onHold = { self.taps += 4 }  // closure: separate-same-function
    }
  }
}
