import Synchronization

extension ObjectCase {
  /// Global variables have the objects.
  static var healthyGlobals: [ObjectCase] {
    [
      .healthy("global-variable", alive: ["Item": 1]) { globalItem = Item() },
      .healthy("global-constant", alive: ["Item": 1]) { constantItem.use() },
      .healthy("static-constant", alive: ["Item": 1]) { Statics.item.use() },
      .healthy("static-lazy-closure", alive: ["Item": 2]) { Statics.pair.use() },
      .healthy("singleton", alive: ["Manager": 1, "Item": 3]) {
        for _ in 0..<3 { Manager.shared.add(Item()) }
      },
      .healthy("global-cache", alive: ["Item": 100]) {
        for number in 0..<100 { Statics.cache["item \(number)"] = Item() }
      },
      .healthy("global-array", alive: ["Item": 10]) {
        for _ in 0..<10 { Statics.array.append(Item()) }
      },
      .healthy("global-contiguous-array", alive: ["Item": 10]) {
        for _ in 0..<10 { Statics.contiguous.append(Item()) }
      },
      .healthy("global-slice", alive: ["Item": 4]) {
        Statics.slice = (0..<4).map { _ in Item() }[2...]
      },
      .healthy("global-set", alive: ["Item": 10]) {
        for _ in 0..<10 { Statics.set.insert(Item()) }
      },
      .healthy("global-dictionary-keys", alive: ["Item": 10]) {
        for number in 0..<10 { Statics.ranks[Item()] = number }
      },
      .healthy("global-struct", alive: ["Item": 2]) {
        Statics.record = Record(number: 1, first: Item(), name: "A", rest: (2, Item()))
      },
      .healthy("global-enum", alive: ["Item": 1]) { Statics.state = .loaded(Item(), version: 2) },
      .healthy("global-indirect-enum", alive: ["Item": 3]) {
        Statics.list = .node(Item(), .node(Item(), .node(Item(), .end)))
      },
      .healthy("global-existential", alive: ["Item": 1]) { Statics.any = Item() },
      .healthy("global-existential-boxed", alive: ["Item": 2]) {
        Statics.any = Record(number: 1, first: Item(), name: "A", rest: (2, Item()))
      },
      .healthy("global-error", alive: ["Item": 1]) { Statics.error = ItemError(item: Item()) },
      .healthy("global-closure", alive: ["Item": 1]) {
        let item = Item()
        Statics.closure = { item.use() }
      },
      .healthy("global-closure-registry", alive: ["Item": 5]) {
        for number in 0..<5 {
          let item = Item()
          Statics.registry["\(number)", default: []].append { item.use() }
        }
      },
      .healthy("global-method-reference", alive: ["Item": 1]) { Statics.closure = Item().use },
      .healthy("global-captured-variable", alive: ["Item": 1]) {
        var item = Item()
        Statics.closure = { item = item.next ?? item }
      },
      // A type with a parameter can't have a static stored property, so this dictionary has them.
      .healthy("global-by-type", alive: ["Item": 2]) {
        Statics.byType[ObjectIdentifier(Labeled<Int>.self)] = Labeled<Int>(content: Item())
        Statics.byType[ObjectIdentifier(Labeled<String>.self)] = Labeled<String>(content: Item())
      },
      .healthy("global-generic", alive: ["Item": 1]) {
        Statics.any = Labeled<Int>(content: Item())
      },
      .healthy("global-mutex", alive: ["Item": 1]) { Statics.locked.withLock { $0 = Item() } },
      .healthy("global-atomic", alive: ["Item": 1]) { _ = Statics.atomic.storeIfNil(Item()) },
      .healthy("global-cycle", alive: ["Item": 2]) {
        let item = Item()
        item.next = Item(next: item)
        globalItem = item
      },
      .healthy("global-closure-cycle", alive: ["Item": 1]) {
        let item = Item()
        item.action = { item.use() }
        globalItem = item
      },
      .healthy("global-ring", alive: ["Item": 100]) {
        let first = Item()
        var last = first
        for _ in 0..<99 {
          last.next = Item()
          last = last.next ?? last
        }
        last.next = first
        globalItem = last
      },
      // A recursive search of this list needs a large stack.
      .healthy("global-long-list", alive: ["Item": 20_000]) {
        var list: Item?
        for _ in 0..<20_000 { list = Item(next: list) }
        globalItem = list
      },
      .healthy("global-unmanaged", alive: ["Item": 1]) {
        Statics.unmanaged = .passRetained(Item())
        precondition(opaque(Statics.unmanaged) != nil)
      },
      .healthy("global-lazy-property", alive: ["Manager": 1, "Item": 1]) {
        Manager.shared.lazyItem.use()
      },
      .healthy("global-autoclosure", alive: ["Item": 1]) {
        let item = Item()
        Statics.keep(item.number)
      },
      .healthy("global-deferred-store", alive: ["Item": 1]) {
        let item = Item()
        defer { globalItem = item }
        item.use()
      },
    ]
  }
}

var globalItem: Item?
let constantItem = Item()

struct Record {
  let number: Int
  let first: Item
  let name: String
  let rest: (Int, Item)
}

struct ItemError: Error {
  let item: Item
}

final class Labeled<Label> {
  private let label: Label? = nil
  private let content: Item

  init(content: Item) { self.content = content }
}

enum Statics {
  enum State {
    case empty
    case failed(String)
    case loaded(Item, version: Int)
  }

  indirect enum List {
    case end
    case node(Item, List)
  }

  static let item = Item()
  static let pair: Item = {
    let item = Item()
    return Item(next: item)
  }()
  static var cache: [String: Item] = [:]
  static var array: [Item] = []
  static var contiguous: ContiguousArray<Item> = []
  static var slice: ArraySlice<Item> = []
  static var set: Set<Item> = []
  static var ranks: [Item: Int] = [:]
  static var record: Record?
  static var state = State.empty
  static var list = List.end
  static var any: Any?
  static var error: (any Error)?
  static var closure: (() -> Void)?
  static var registry: [String: [() -> Void]] = [:]
  static var byType: [ObjectIdentifier: AnyObject] = [:]
  static let locked = Mutex<Item?>(nil)
  static let atomic = AtomicLazyReference<Item>()
  static var unmanaged: Unmanaged<Item>?
  static var number: (() -> Int)?

  static func keep(_ value: @autoclosure @escaping () -> Int) { number = value }
}

final class Manager {
  static let shared = Manager()

  private var items: [Item] = []
  lazy var lazyItem = Item()

  private init() { Life.begin(self, "Manager") }
  deinit { Life.end("Manager") }

  func add(_ item: Item) { items.append(item) }
}
