import TestSupport

/// An object of a random graph. Each subclass refers to others in its own way.
class Knot {
  final let number: Int

  required init(_ number: Int) { self.number = number }

  /// Replaces the references with references to some of the `others`. Returns those that are now
  /// held strongly.
  func hold(_ others: [Knot]) -> [Knot] { [] }
}

extension [Knot] {
  /// Returns the knot at an index, or `nil` if there are too few.
  fileprivate func at(_ index: Int) -> Knot? { index < count ? self[index] : nil }
}

/// The classes of the knots of a random graph.
let knotClasses: [Knot.Type] = [
  Knot.self, ReferenceKnot.self, WeakKnot.self, UnownedKnot.self, UnmanagedKnot.self,
  ArrayKnot.self, NestedArrayKnot.self, SliceKnot.self, OptionalArrayKnot.self, TupleArrayKnot.self,
  DictionaryKnot.self, KeyKnot.self, NestedDictionaryKnot.self, SetKnot.self, StructKnot.self,
  TupleKnot.self, PayloadKnot.self, MultiPayloadKnot.self, TaggedKnot.self, IndirectKnot.self,
  EmptyCaseKnot.self, SmallExistentialKnot.self, LargeExistentialKnot.self, ClassBoundKnot.self,
  AnyKnot.self, AnyObjectKnot.self, ConstrainedExistentialKnot.self, OneCaptureKnot.self,
  ManyCapturesKnot.self, WeakCaptureKnot.self, UnownedCaptureKnot.self, BoxCaptureKnot.self,
  WeakBoxKnot.self, MethodKnot.self, NestedClosureKnot.self, ValueCaptureKnot.self,
  GenericClosureKnot.self, GenericFunctionKnot.self, FunctionCaptureKnot.self,
  MetatypeCaptureKnot.self, AsyncClosureKnot.self, PackClosureKnot.self, One<Knot?>.self,
  Two<[Knot], Knot?>.self, Three<Knot?, Int, Rope?>.self, Four<Int8, Knot?, Bool, Knot?>.self,
  Five<Knot?, Int, Knot?, String, (Int8, Knot?)>.self, SubKnot.self, SubSubKnot.self,
  ErrorKnot.self, ErrorCaseKnot.self, WrapperKnot.self, LazyKnot.self, InlineKnot.self,
  ResultKnot.self, DoubleOptionalKnot.self, PackFieldKnot.self, PackedKnot<Knot?, Int, Knot?>.self,
  ActorKnot.self, PropertyKnot.self, ClosureArrayKnot.self, InheritingKnot<Knot?>.self,
]

// MARK: References

final class ReferenceKnot: Knot {
  private var first: Knot?
  private var padding: Int8 = 0
  private var second: Knot?

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0)
    second = others.at(1)
    return Array(others.prefix(2))
  }
}

final class WeakKnot: Knot {
  private weak var first: Knot?
  private var second: Knot?
  private weak var third: AnyObject?

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0)
    second = others.at(1)
    third = others.at(2)
    return [others.at(1)].compactMap(\.self)
  }
}

final class UnownedKnot: Knot {
  private unowned var first: Knot?
  private unowned(unsafe) var second: Knot?
  private var third: Knot?

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0)
    second = others.at(1)
    third = others.at(2)
    return [others.at(2)].compactMap(\.self)
  }
}

final class UnmanagedKnot: Knot {
  private var first: Unmanaged<Knot>?
  private var others: [Unmanaged<Knot>] = []
  private var pointer: UnsafeMutableRawPointer?

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0).map { .passUnretained($0) }
    self.others = others.map { .passUnretained($0) }
    pointer = first?.toOpaque()
    return []
  }
}

// MARK: Collections

final class ArrayKnot: Knot {
  private var others: [Knot] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = others.map(\.self)
    return others
  }
}

final class NestedArrayKnot: Knot {
  private var others: [[[Knot]]] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = [[], others.map { [$0] }, [[]]]
    return others
  }
}

final class SliceKnot: Knot {
  private var slice: ArraySlice<Knot> = []
  private var contiguous: ContiguousArray<Knot> = []

  override func hold(_ others: [Knot]) -> [Knot] {
    slice = others.prefix(1).map(\.self)[...]
    contiguous = ContiguousArray(others.dropFirst())
    return others
  }
}

final class OptionalArrayKnot: Knot {
  private var others: [Knot?] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = others.flatMap { [$0, nil] }
    return others
  }
}

final class TupleArrayKnot: Knot {
  private var others: [(Int8, Knot, Weakly)] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = others.map { (1, $0, Weakly(knot: self)) }
    return others
  }
}

final class DictionaryKnot: Knot {
  private var others: [Int: Knot] = [:]

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = [:]
    for other in others { self.others[other.number] = other }
    return others
  }
}

/// A key with the identity of a knot.
struct KnotKey: Hashable {
  let salt: Int8
  let knot: Knot

  static func == (left: Self, right: Self) -> Bool { left.knot === right.knot }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(knot)) }
}

final class KeyKnot: Knot {
  private var keys: [KnotKey: Bool] = [:]

  override func hold(_ others: [Knot]) -> [Knot] {
    keys = [:]
    for other in others { keys[KnotKey(salt: 1, knot: other)] = true }
    return others
  }
}

final class NestedDictionaryKnot: Knot {
  private var others: [String: [Int: [Knot]]] = [:]
  private var identities: [ObjectIdentifier: Int] = [:]

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = [:]
    for other in others.prefix(2) {
      self.others["a rather long key \(other.number)", default: [:]][1, default: []].append(other)
    }
    for other in others { identities[ObjectIdentifier(other)] = 1 }
    return Array(others.prefix(2))
  }
}

final class SetKnot: Knot {
  private var others: Set<KnotKey> = []
  private var identities: Set<ObjectIdentifier> = []

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = []
    for other in others.dropFirst() { self.others.insert(KnotKey(salt: 2, knot: other)) }
    for other in others { identities.insert(ObjectIdentifier(other)) }
    return Array(others.dropFirst())
  }
}

// MARK: Values

struct Weakly {
  weak var knot: Knot?
}

struct Inner {
  var flag = false
  var knot: Knot?
  var small: Int16 = 3
}

struct Outer {
  var byte: Int8 = 1
  var inner = Inner()
  var text = "text"
  var weakly = Weakly()
  var second = Inner()
  var pair: (Int32, Knot?) = (1, nil)
}

final class StructKnot: Knot {
  private var outer = Outer()

  override func hold(_ others: [Knot]) -> [Knot] {
    outer.inner.knot = others.at(0)
    outer.weakly.knot = others.at(1)
    outer.second.knot = others.at(2)
    outer.pair.1 = others.at(3)
    return [others.at(0), others.at(2), others.at(3)].compactMap(\.self)
  }
}

final class TupleKnot: Knot {
  private var others: (Int8, label: Knot?, (Bool, Knot?)) = (1, nil, (true, nil))

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = (2, others.at(0), (false, others.at(1)))
    return Array(others.prefix(2))
  }
}

final class PayloadKnot: Knot {
  private enum Link {
    case one(Knot)
    case none, missing
  }
  private var first = Link.none
  private var second = Link.missing

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0).map { .one($0) } ?? .none
    second = others.at(1).map { .one($0) } ?? .missing
    return Array(others.prefix(2))
  }
}

final class MultiPayloadKnot: Knot {
  private enum Link {
    case strong(Knot)
    case rope(Rope)
    case list([Knot])
    case nothing
  }
  private var links: [Link] = []
  private var single = Link.nothing

  override func hold(_ others: [Knot]) -> [Knot] {
    links = others.enumerated().map { index, other in
      switch index % 3 {
      case 0: .strong(other)
      case 1: .rope(Rope(other))
      default: .list([other])
      }
    }
    single = others.last.map { .rope(Rope($0)) } ?? .nothing
    return others
  }
}

final class TaggedKnot: Knot {
  private enum Link {
    case number(Int)
    case pair(Int8, Knot)
    case text(String)
    case weakly(Weakly)
    case unmanaged(Unmanaged<Knot>, Int)
  }
  private var links: [Link] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    links = [.number(1), .text("a text that is longer than a word")]
    var held: [Knot] = []
    for (index, other) in others.enumerated() {
      switch index % 3 {
      case 0:
        links.append(.pair(1, other))
        held.append(other)
      case 1: links.append(.weakly(Weakly(knot: other)))
      default: links.append(.unmanaged(.passUnretained(other), Int.max))
      }
    }
    return held
  }
}

final class IndirectKnot: Knot {
  private indirect enum List {
    case end
    case more(Knot, List)
    case number(Int)
  }
  private var list = List.end
  private var value = List.number(7)

  override func hold(_ others: [Knot]) -> [Knot] {
    list = .end
    for other in others { list = .more(other, list) }
    return others
  }
}

final class EmptyCaseKnot: Knot {
  private enum Color { case red, green }
  private var color = Color.red
  private var other: Knot?
  private var result: Never?

  override func hold(_ others: [Knot]) -> [Knot] {
    color = .green
    other = others.last
    return Array(others.suffix(1))
  }
}

final class ResultKnot: Knot {
  private var success: Result<Knot, TangleError>?
  private var failure: Result<Int, TangleError>?

  override func hold(_ others: [Knot]) -> [Knot] {
    success = others.at(0).map { .success($0) }
    failure = others.at(1).map { .failure(.tangled(Unchecked($0))) }
    return Array(others.prefix(2))
  }
}

final class DoubleOptionalKnot: Knot {
  private var first: Knot??
  private var second: Inner???

  override func hold(_ others: [Knot]) -> [Knot] {
    first = .some(others.at(0))
    second = .some(.some(Inner(knot: others.at(1))))
    return Array(others.prefix(2))
  }
}

final class InlineKnot: Knot {
  private var others: InlineArray<4, Knot?> = .init(repeating: nil)
  private var pairs: InlineArray<2, (Int8, Knot?)> = .init(repeating: (1, nil))

  override func hold(_ others: [Knot]) -> [Knot] {
    for index in 0..<4 { self.others[index] = others.at(index) }
    pairs[1].1 = others.at(4)
    return Array(others.prefix(5))
  }
}

// MARK: Existentials

/// An object between knots that isn't a knot itself.
final class Rope: Holds {
  let end: Knot
  init(_ end: Knot) { self.end = end }
}

protocol Holds {}
protocol HoldsOneObject: AnyObject {}
protocol Bag<Element> {
  associatedtype Element
}

struct SmallHold: Holds { var knot: Knot }
struct LargeHold: Holds, Bag {
  typealias Element = Knot
  var numbers = (1, 2, 3)
  var knot: Knot
  var last = 4
}
struct SmallBag: Bag {
  typealias Element = Knot
  var byte: Int8 = 1
  var knot: Knot
}
struct WeakHold: Holds { weak var knot: Knot? }
struct AlignedHold: Holds {
  var vector: SIMD4<Float> = .zero
  var knot: Knot
}

final class SmallExistentialKnot: Knot {
  private var first: (any Holds)?
  private var second: any Holds = WeakHold()
  private var third: any Holds = WeakHold()

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0).map { SmallHold(knot: $0) }
    second = WeakHold(knot: others.at(1))
    third = others.at(2).map { Rope($0) } ?? WeakHold()
    return [others.at(0), others.at(2)].compactMap(\.self)
  }
}

final class LargeExistentialKnot: Knot {
  private var others: [any Holds] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    self.others = others.enumerated().map { index, other in
      index % 2 == 0 ? LargeHold(knot: other) as any Holds : AlignedHold(knot: other)
    }
    return others
  }
}

final class ClassBoundKnot: Knot {
  private final class End: HoldsOneObject {
    let knot: Knot
    init(_ knot: Knot) { self.knot = knot }
  }
  private var first: (any HoldsOneObject)?
  private weak var second: (any HoldsOneObject)?
  private var more: [any HoldsOneObject] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0).map { End($0) }
    second = first
    more = others.dropFirst().map { End($0) }
    return others
  }
}

final class AnyKnot: Knot {
  private var values: [Any] = []
  private var optional: Any?

  override func hold(_ others: [Knot]) -> [Knot] {
    values = others.enumerated().map { index, other -> Any in
      switch index % 6 {
      case 0: other
      case 1: [other]
      case 2: LargeHold(knot: other)
      case 3: ["key": other]
      case 4: (1, other)
      default: { other } as () -> Knot
      }
    }
    optional = others.last.map { Optional($0) as Any }
    return others
  }
}

final class AnyObjectKnot: Knot {
  private var first: AnyObject?
  private weak var second: AnyObject?

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0).map { Rope($0) }
    second = others.at(1)
    return Array(others.prefix(1))
  }
}

final class ConstrainedExistentialKnot: Knot {
  private var first: (any Bag<Knot>)?
  private var second: (any Bag<Knot>)?

  override func hold(_ others: [Knot]) -> [Knot] {
    first = others.at(0).map { LargeHold(knot: $0) }
    second = others.at(1).map { SmallBag(knot: $0) }
    return Array(others.prefix(2))
  }
}

final class ErrorKnot: Knot {
  private var error: (any Error)?
  private var errors: [any Error] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    error = others.at(0).map { TangleError.tangled(Unchecked($0)) }
    errors = others.dropFirst().map { LargeError(knot: Unchecked($0)) }
    return others
  }
}

struct LargeError: Error {
  var knot: Unchecked<Knot>
  var numbers = (1, 2, 3, 4)
}

enum TangleError: Error {
  case none
  case tangled(Unchecked<Knot>)
}

final class ErrorCaseKnot: Knot {
  private enum State {
    case idle
    case failed(any Error)
    case busy(any Holds)
  }
  private var states: [State] = [.idle]

  override func hold(_ others: [Knot]) -> [Knot] {
    states = [.idle]
    for (index, other) in others.enumerated() {
      states.append(
        index % 2 == 0 ? .failed(LargeError(knot: Unchecked(other))) : .busy(SmallHold(knot: other))
      )
    }
    return others
  }
}
