enum Plain { case first, second, third }
enum Single { case only }
enum RawText: String { case idle, loading = "is loading" }
enum RawNumber: Int { case low = 1, high = 5 }
enum Payloads {
  case none
  case number(Int)
  case text(String)
  case pair(Int, String)
  case labeled(x: Int, y: Double)
  case oneLabel(only: Int)
  case tuple((Int, Int))
  case void(Void)
  case optional(Int?)
  case object(Item)
  case function(() -> Void)
  case any(Any)
  case numbered(any Numbered)
  case error(any Error)
  case array([Int])
  case nested(RawText)
  case type(Any.Type)
}
/// An enumeration whose tag is in spare bits of the references.
enum SpareBits { case first(Item), second(SubItem), third(String), fourth([Int]), fifth }
enum Flags { case on(Bool), off(Bool), both(Bool, Bool), none }
enum SinglePayload { case value(Item), a, b, c }
enum SinglePayloadText { case text(String), a, b }
enum SingleNumber { case value(UInt8), a, b, c }
indirect enum Tree {
  case leaf
  case node(Tree, Int, Tree)
}
enum List<Element> {
  case end
  indirect case more(Element, List)
}
enum WeakPayload { case value(WithWeak), other(Int), none }
enum BigPayload { case value(SIMD8<Double>), other(SIMD2<Int8>), none }
enum Many {
  case c0, c1, c2, c3, c4, c5, c6, c7, c8, c9
  case p0(Int), p1(Int8), p2(String)
}
enum Problem: Error { case broken, missing(file: String), code(Int) }
struct Failure: Error { var reason = "because" }
enum Endless<Value> { case end(Value); indirect case more(Endless<[Value]>) }
enum `if` { case `else`, `default`(Int) }
enum Wide { case a(Int64, Int64, Int64), b(String, String), c }
enum Generic<A, B> { case left(A), right(B), both(A, B), neither }

/// Compares enumerations and types that they can contain.
func compareEnumerations(_ compare: inout Comparison) {
  compare(Plain.first, .second, .third)
  compare(Single.only)
  compare(RawText.idle, .loading)
  compare(RawNumber.low, .high)
  let item = Item()
  compare(Payloads.none, .number(1), .text("it's"), .pair(1, "a"), .labeled(x: 1, y: 2))
  compare(Payloads.oneLabel(only: 1), .tuple((1, 2)), .void(()), .optional(nil), .optional(1))
  compare(Payloads.object(item), .object(SubItem()), .function({}), .any(1), .any((1, 2)))
  compare(Payloads.any(Optional<Int>.none as Any), .any("a"), .any(Trade.self), .any([1, "a"]))
  compare(Payloads.numbered(item), .error(Problem.broken), .error(Problem.missing(file: "a")))
  compare(Payloads.error(Failure()), .array([]), .array([1]), .nested(.loading), .type(Int.self))
  compare(
    SpareBits.first(item), .second(SubItem()), .third("short"),
    .third(String(repeating: "é", count: 40)),
    .fourth([1]), .fourth([]), .fifth)
  compare(Flags.on(true), .off(false), .both(true, false), .none)
  compare(SinglePayload.value(item), .a, .b, .c)
  compare(SinglePayloadText.text(""), .text("a long text that needs memory"), .a, .b)
  compare(SingleNumber.value(255), .value(0), .a, .b, .c)
  compare(Tree.leaf, .node(.leaf, 1, .node(.leaf, 2, .leaf)))
  compare(List<Int>.end, .more(1, .more(2, .end)))
  compare(List<String>.more("a", .end))
  compare(WeakPayload.value(WithWeak(object: item)), .other(1), .none)
  compare(BigPayload.value(.zero), .other(.zero), .none)
  compare(Many.c0, .c9, .p0(1), .p1(-1), .p2("x"))
  compare(Problem.broken, .missing(file: "é\n"), .code(1))
  compare(Problem.code(3) as any Error, Failure() as any Error)
  compare(Endless.end(1), .more(.end([1])))
  compare(`if`.else, .default(1))
  compare(Wide.a(1, 2, 3), .b("a", "b"), .c)
  compare(Generic<Int, String>.left(1), .right("a"), .both(1, "b"), .neither)
  compare(Generic<Item, Item>.left(item), .right(item), .both(item, item), .neither)
  compare(Generic<Empty, Never>.left(Empty()), .neither)
  compare(Generic<(), Int?>.left(()), .right(nil), .right(1), .neither)
  compare(Generic<Any, any Error>.left((1, 2)), .right(Failure()), .neither)
  compare(Result<Int, Problem>.success(1), .failure(.broken))
  compare(Result<Void, any Error>.success(()), .failure(Failure()))
  compare(Int?.none, 1, -4)
  compare(Int??.none, .some(nil), 3)
  compare(Item?.none, item)
  compare(Plain?.none, .first, .third)
  compare(Payloads?.none, Payloads.none, .number(1))
  compare(SpareBits?.none, .fifth, .first(item))
  compare((Int, String)?.none, (1, "a"))
  compare((() -> Void)?.none, {})
  compare(Any?.none, 1, "a", Optional<Int>.none as Any)
  withExtendedLifetime(item) {}
}
