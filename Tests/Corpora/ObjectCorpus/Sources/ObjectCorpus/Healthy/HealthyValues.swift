import Foundation

extension ObjectCase {
  /// Values whose words don't look like references to objects, and back references.
  static var healthyValues: [ObjectCase] {
    [
      // A weak reference to a value of a protocol has two words.
      .healthy("weak-protocol-in-struct", alive: ["Item": 2, "Lodge": 1]) {
        Lodge.current = Lodge()
      },
      .healthy("large-strings", alive: ["Titles": 1]) {
        let titles = Titles()
        for length in [1, 15, 16, 100, 10_000] {
          titles.texts.append(String(repeating: "a", count: length))
        }
        titles.texts.append("é" + titles.texts[4])
        Titles.current = titles
      },
      .healthy("substrings", alive: ["Titles": 1]) {
        let titles = Titles()
        titles.parts = String(repeating: "a b ", count: 100).split(separator: " ")
        Titles.current = titles
      },
      .healthy("bridged-objects", alive: ["Titles": 1]) {
        let titles = Titles()
        let text = String(repeating: "long text ", count: 10)
        titles.objects = [
          text as NSString, [1, 2, 3] as NSArray, ["key": text] as NSDictionary, 1 as NSNumber,
          Data(repeating: 1, count: 1000) as NSData, NSMutableString(string: text),
          Date() as NSDate,
        ]
        Titles.current = titles
      },
      .healthy("foundation-values", alive: ["Titles": 1]) {
        let titles = Titles()
        titles.values = [
          Data(repeating: 1, count: 5000), URL(fileURLWithPath: "/tmp/a"), UUID(), Date(),
          IndexSet(integersIn: 3..<9), CharacterSet.letters, Locale(identifier: "de"),
          Calendar(identifier: .iso8601), DateComponents(year: 2000), Decimal(3),
        ]
        Titles.current = titles
      },
      .healthy("key-paths", alive: ["Titles": 1]) {
        let titles = Titles()
        let path = \Titles.texts
        titles.values = [path, path.appending(path: \[String].count), \[Int].[opaque(3)]]
        Titles.current = titles
      },
      .healthy("metatypes", alive: ["Titles": 1]) {
        let titles = Titles()
        titles.values = [Titles.self, [Titles].self, (any Error).self, type(of: titles)]
        Titles.current = titles
      },
      .healthy("tagged-enums", alive: ["Item": 3, "Titles": 1]) {
        let titles = Titles()
        titles.choices = [.none, .item(Item()), .titles([1, 2]), .closure(nil), .item(Item())]
        titles.choices.append(.both(Item(), true))
        Titles.current = titles
      },
      .healthy("any-hashable", alive: ["Item": 3, "Titles": 1]) {
        let titles = Titles()
        let item = Item()
        titles.marks = [
          AnyHashable(item): 1, AnyHashable([Item(), item]): 2, AnyHashable("a"): Item(),
        ]
        Titles.current = titles
      },
      .healthy("unmanaged-back-reference", alive: ["Branch": 3]) {
        let root = Branch()
        root.children = (0..<2).map { _ in Branch(parent: root) }
        Branch.root = root
      },
      .healthy("pointer-back-reference", alive: ["Branch": 3]) {
        let root = Branch()
        root.children = (0..<2).map { _ in Branch(rawParent: root) }
        Branch.root = root
      },
      .healthy("nested-generic-values", alive: ["Item": 2]) {
        Statics.any = Result<[Int: (Item?, String)], any Error>.success([
          1: (Item(), "a"), 2: (nil, "b"),
        ])
        Statics.error = ItemError(item: Item())
      },
    ]
  }
}

final class Titles {
  enum Choice {
    case none
    case item(Item)
    case titles([Int])
    case closure((() -> Void)?)
    case both(Item, Bool)
  }

  static var current: Titles?

  var texts: [String] = []
  var parts: [Substring] = []
  var objects: [NSObject] = []
  var values: [Any] = []
  var choices: [Choice] = []
  var marks: [AnyHashable: Any] = [:]

  init() { Life.begin(self, "Titles") }
  deinit { Life.end("Titles") }
}

final class Branch {
  static var root: Branch?

  var children: [Branch] = []
  private let parent: Unmanaged<Branch>?
  private let rawParent: UnsafeMutableRawPointer?

  init(parent: Branch? = nil, rawParent: Branch? = nil) {
    self.parent = parent.map { .passUnretained($0) }
    self.rawParent = rawParent.map { Unmanaged.passUnretained($0).toOpaque() }
    Life.begin(self, "Branch")
  }
  deinit { Life.end("Branch") }
}

private protocol Neighbor: AnyObject {}

private struct Door {
  weak var neighbor: (any Neighbor)?
  let item: Item
  unowned let owner: Item
}

private final class Lodge {
  nonisolated(unsafe) static var current: Lodge?

  private let owner: Item
  private let door: Door

  init() {
    owner = Item()
    door = Door(item: Item(), owner: owner)
    Life.begin(self, "Lodge")
  }
  deinit { Life.end("Lodge") }
}
