protocol Classy: AnyObject {}
final class Held: Classy, Numbered { let number = 2 }
final class GenericClass<Value> { var value: Value; init(_ value: Value) { self.value = value } }
class Described: CustomStringConvertible { var description: String { "described" } }
final class SubDescribed: Described { override var description: String { "sub" } }
final class DebugDescribed: Item, CustomDebugStringConvertible {
  var debugDescription: String { "debug" }
}
final class Mirrored: Item, CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: ["a": 1], displayStyle: .tuple) }
}
struct Source<Value> {
  var any: Any
  var numbered: any Numbered
  var both: any Numbered & Classy
  var object: AnyObject
  var item: Item
  var error: any Error
  var equatable: any Equatable
  var collection: any Collection
  var typed: any Collection<Value>
}
struct Large: Numbered { var number = 1; var b = "b", c = "c", d = "d" }
struct VeryAligned: Numbered { var vector = SIMD8<Double>.zero; var number = 3 }

/// Compares containers of values of any type, and references.
func compareContainers(_ compare: inout Comparison) {
  let held = Held()
  compare(
    Source<Int>(
      any: 1, numbered: held, both: held, object: held, item: SubItem(), error: Failure(),
      equatable: 1, collection: ["a"], typed: [1]))
  compare(
    Source<String>(
      any: Large(), numbered: Large(), both: held, object: Worker(), item: Item(),
      error: Problem.code(1), equatable: "x", collection: [1: 2], typed: Set(["a"])))
  compare(
    1 as Any, "a", 2.5, true, Large(), VeryAligned(), held, (1, 2), (a: 1, b: "c"), [1], Int.self)
  compare(Optional(1) as Any, Int?.none as Any, Int??.none as Any, [Any]() as Any, () as Any)
  compare((1 as Any) as Any, [1: Large()] as Any, {} as () -> Void as Any)
  compare(Large() as any Numbered, held, VeryAligned(), SubItem())
  compare(held as any Numbered & Classy)
  compare(held as AnyObject, Item(), SubDescribed(), Worker(), GenericClass(1))
  compare(1 as any Equatable, "a", Held.self == Held.self)
  compare([1, 2] as any Collection, "abc", Set([1]))
  compare([1, 2] as any Collection<Int>)
  compare(1 as any Hashable & Sendable, "a")
  compare(1 as any CustomStringConvertible, Described(), [1], Optional("x").debugDescription)
  compare(AnyHashable(1), AnyHashable("a"), AnyHashable(Plain.first), AnyHashable(Optional(1)))
  compare(held)
  compare(Item(), SubItem())
  compare(GenericClass(1))
  compare(GenericClass([held]))
  compare(Described(), SubDescribed())
  compare(Item() as Item, DebugDescribed(), Mirrored(), SubItem())
  compare([Item(), DebugDescribed(), Mirrored()])
  compare(Worker())
  compare(Unmanaged.passUnretained(held))
  compare(Held.self as any Numbered.Type)
  compare(type(of: held as Any))
  withExtendedLifetime(held) {}
}
