import ReactiveKit
import TestSupport

// Knots that are generic, or that have generic or actor parts.

extension Knot {
  /// Returns a value of any type that tests use as an argument, with some of the knots.
  fileprivate static func value<Value>(_ type: Value.Type, _ knots: inout ArraySlice<Knot>) -> Value
  {
    let value: Any? =
      switch type {
      case is Knot?.Type: knots.popFirst() as Knot?
      case is [Knot].Type: [knots.popFirst()].compactMap(\.self)
      case is Rope?.Type: knots.popFirst().map { Rope($0) } as Rope?
      case is (Int8, Knot?).Type: (Int8(1), knots.popFirst()) as (Int8, Knot?)
      case is Int.Type: 1
      case is Int8.Type: Int8(1)
      case is Bool.Type: true
      case is String.Type: "a text of more than fifteen bytes"
      default: nil
      }
    guard let value = value as? Value else { fatalError("unexpected argument \(type)") }
    return value
  }
}

final class One<A>: Knot {
  private var a: A?

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    a = Self.value(A.self, &rest)
    return Array(others.prefix(others.count - rest.count))
  }

  static func makeWork(_ value: A) -> () -> Void { { use(self, value) } }
}

class Two<A, B>: Knot {
  fileprivate var b: B?
  fileprivate var padding: Int8 = 1
  fileprivate var a: A?

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    a = Self.value(A.self, &rest)
    b = Self.value(B.self, &rest)
    return Array(others.prefix(others.count - rest.count))
  }
}

final class Three<A, B, C>: Knot {
  private var values: (A, B, C)?

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    values = (Self.value(A.self, &rest), Self.value(B.self, &rest), Self.value(C.self, &rest))
    return Array(others.prefix(others.count - rest.count))
  }
}

final class Four<A, B, C, D>: Knot {
  private struct Parts {
    var a: A
    var b: B
    var c: C
    var d: D
  }
  private var parts: [Parts] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    parts = [
      Parts(
        a: Self.value(A.self, &rest), b: Self.value(B.self, &rest), c: Self.value(C.self, &rest),
        d: Self.value(D.self, &rest))
    ]
    return Array(others.prefix(others.count - rest.count))
  }
}

final class Five<A, B, C, D, E>: Knot {
  private enum Part {
    case a(A), b(B), c(C), d(D), e(E)
  }
  private var parts: [Part] = []
  private var work: () -> Void = {}

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    let values = (
      Self.value(A.self, &rest), Self.value(B.self, &rest), Self.value(C.self, &rest),
      Self.value(D.self, &rest), Self.value(E.self, &rest)
    )
    parts = [.a(values.0), .b(values.1), .c(values.2), .d(values.3), .e(values.4)]
    work = { use(values.0, values.1, values.4) }
    return Array(others.prefix(others.count - rest.count))
  }
}

final class SubKnot: Two<Knot?, Rope?> {
  private var own: Knot?

  override func hold(_ others: [Knot]) -> [Knot] {
    own = others.first
    return Array(others.prefix(1)) + super.hold(Array(others.dropFirst()))
  }
}

class MiddleKnot<Value>: Two<Value, [Knot]> {
  fileprivate var middle: Value?
  fileprivate var work: () -> Void = {}

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    let value = Self.value(Value.self, &rest)
    // The class of the captured object determines the type of the value.
    work = { [unowned self] in use(self, value) }
    middle = value
    return Array(others.prefix(others.count - rest.count)) + super.hold(Array(rest))
  }
}

final class SubSubKnot: MiddleKnot<Knot?> {
  private var byte: Int8 = 1
  private var last: Knot?

  override func hold(_ others: [Knot]) -> [Knot] {
    last = others.first
    return Array(others.prefix(1)) + super.hold(Array(others.dropFirst()))
  }
}

final class InheritingKnot<Other>: MiddleKnot<(Int8, Knot?)> {
  private var other: Other?

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    other = Self.value(Other.self, &rest)
    return Array(others.prefix(others.count - rest.count)) + super.hold(Array(rest))
  }
}

// MARK: Parameter packs

struct Packed<each Value> {
  var values: (repeat each Value)
}

final class PackFieldKnot: Knot {
  private var packed: Packed<Int8, Knot?, Bool, Knot?>?

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    packed = Packed(values: (1, rest.popFirst(), true, rest.popFirst()))
    return Array(others.prefix(2))
  }
}

final class PackedKnot<each Value>: Knot {
  private var values: (repeat each Value)?

  override func hold(_ others: [Knot]) -> [Knot] {
    var rest = others[...]
    values = (repeat Self.value((each Value).self, &rest))
    return Array(others.prefix(others.count - rest.count))
  }
}

// MARK: Wrappers, actors, properties

@propertyWrapper
struct Wrapped<Value> {
  private var byte: Int8 = 1
  var wrappedValue: Value

  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

final class WrapperKnot: Knot {
  @Wrapped private var first: Knot? = nil
  @Wrapped private var others: [Knot] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.first
    self.others = Array(others.dropFirst())
    return others
  }
}

final class LazyKnot: Knot {
  private var kept: [Knot] = []
  private lazy var rope: Rope? = Rope(kept[0])
  private lazy var never = Rope(kept[1])

  override func hold(_ others: [Knot]) -> [Knot] {
    guard let first = others.first else {
      rope = nil
      return []
    }
    kept = [first]
    use(rope)
    kept = []
    return [first]
  }
}

actor Shed {
  private let knot: Knot
  private let other: Knot?

  init(_ knot: Unchecked<Knot>, _ other: Unchecked<Knot>) {
    self.knot = knot.value
    self.other = other.value
  }
}

final class ActorKnot: Knot {
  private var shed: Shed?

  override func hold(_ others: [Knot]) -> [Knot] {
    shed = nil
    guard others.count >= 2 else { return [] }
    shed = Shed(Unchecked(others[0]), Unchecked(others[1]))
    return Array(others.prefix(2))
  }
}

final class PropertyKnot: Knot {
  private let property = Property<Knot?>(nil)
  private let list = Property<[Knot]>([])

  override func hold(_ others: [Knot]) -> [Knot] {
    property.value = others.first
    list.value = Array(others.dropFirst())
    return others
  }
}
