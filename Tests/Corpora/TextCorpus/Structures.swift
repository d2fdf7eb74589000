import SystemLibrary

struct Trade {
  let id: Int
  let symbol: String
  let price: Double
}
struct Empty {}
struct One { var only = 1 }
struct Mixed {
  var a: Int8 = -1
  var b = 1.5
  var c = true
  var d: UInt16 = 3
  var e: Character = "e"
  var f: Substring = "sub"
  var g: Float = 0.25
}
struct Ten {
  var one = 1
  var two = "two"
  var three = 3.5
  var four = true
  var five: Int? = 5
  var six: String? = nil
  var seven = Inner()
  var eight = [1, 2]
  var nine: UInt8 = 9
  var ten = "ten"

  struct Inner {
    var x = 1
    var y = "y"
  }
}
private struct Private { var secret = 1 }
struct Wrapped { @Wrapper var number = 1 }
@propertyWrapper struct Wrapper { var wrappedValue: Int }
struct Lazy { lazy var slow = 1 }
struct Computed {
  var stored = 1
  var computed: Int { 2 }
  static let shared = Computed()
}
struct Observed { var value = 1 { didSet {} } }
struct WithWeak {
  weak var object: Item?
  var number = 1
}
struct WithUnowned {
  unowned let object: Item
  unowned(unsafe) let unsafe: Item
  let unmanaged: Unmanaged<Item>
}
struct WithUnownedOptional { unowned var object: Item? }
struct WithFunctions {
  var plain: () -> Void = {}
  var optional: ((Int) -> Int)? = { $0 }
  var none: (() -> Void)? = nil
  var convention: @convention(c) (Int32) -> Int32 = { $0 }
}
struct WithTypes {
  var type: Any.Type = Int.self
  var metatype = String.self
  var protocolType: any Numbered.Type = Item.self
}
/// A structure with the metatype of a known type, which doesn't take space.
struct WithThinType {
  var before = 1
  var type = (any Numbered).self
  var after = 2
}
struct Deep {
  var a = A(); struct A { var b = B(); struct B { var c = C(); struct C { var d = 1 } } }
}
struct Aligned { var vector = SIMD4<Double>(1, 2, 3, 4); var byte: UInt8 = 1 }
struct `class` { var `default` = 1; var `2 words` = 2 }
struct Tuples {
  var pair = (1, "a")
  var labeled = (x: 1, y: 2.5)
  var nested = ((1, 2), (a: 3, (4, b: "5")))
  var empty: Void = ()
}
struct InlineNumbers { var numbers: InlineArray<3, Int> = [1, 2, 3] }
struct Pack<each Part> { var parts: (repeat each Part) }
struct Phantom<Tag> { var value = 1 }
struct Constrained<Value: Numbered> { var value: Value }
struct Nested<Outer> {
  var outer: Outer; struct Inside<Inner> { var outer: Outer; var inner: Inner }
}
struct Opaque { var value: any Numbered = Item(); static var some: some Numbered { Item() } }
struct Recursive { var name = "root"; var children: [Recursive] = [] }
struct Copied: ~Copyable { var value = 1 }
struct Booleans { var a = true, b = false, c: Bool? = nil, d: Bool? = true, e: Bool?? = .some(nil) }
extension Trade { struct Line { var trade: Trade; var count: Int } }

protocol Numbered { var number: Int { get } }
class Item: Numbered { let number = 1 }
final class SubItem: Item { var more = 2 }
actor Worker { var state = 1 }

/// Compares structures, tuples, and types that structures can contain.
func compareStructures(_ compare: inout Comparison) {
  compare(
    Trade(id: 39595, symbol: "SYM5", price: 6.25), Trade(id: -1, symbol: "it's\n", price: .nan))
  compare(Trade.Line(trade: Trade(id: 1, symbol: "a", price: 1), count: 2))
  compare(Empty(), Empty())
  compare(One())
  compare(Mixed())
  compare(Ten(), Ten(five: nil, six: "six"))
  compare(Private())
  compare(Wrapped())
  var lazy = Lazy()
  compare(lazy)
  _ = lazy.slow
  compare(lazy)
  compare(Computed.shared)
  compare(Observed())
  let item = Item()
  compare(WithWeak(object: item), WithWeak())
  compare(
    WithUnowned(object: item, unsafe: item, unmanaged: .passUnretained(item)))
  compare(WithUnownedOptional(object: item))
  compare(WithFunctions())
  compare(WithTypes())
  compare(WithThinType())
  compare(Deep())
  compare(Aligned())
  compare(`class`())
  compare(Tuples())
  compare(InlineNumbers())
  compare(Pack<Int, String>(parts: (1, "a")))
  compare(Phantom<String>(), Phantom<String>(value: 2))
  compare(Phantom<Copied.Type>())
  compare(Constrained(value: item))
  compare(Nested(outer: 1))
  compare(Nested<Int>.Inside(outer: 1, inner: "a"))
  compare(Nested<[String]>.Inside<Int?>(outer: ["a"], inner: nil))
  compare(Opaque())
  compare(Opaque.some)
  compare(Recursive(children: [Recursive(name: "leaf"), Recursive()]))
  compare(Booleans())
  compare((1, 2))
  compare((a: 1, b: "x", 2.5))
  compare((first: (second: (third: 3, 5), 4), other: ()))
  compare((item, item as Any, item as any Numbered, item as AnyObject))
  struct Local { var value = 1 }
  compare(Local())
  compare(Holder(before: 1, value: Local(), after: "é"))
  withExtendedLifetime(item) {}
}
