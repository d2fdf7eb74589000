// Knots that hold others in the captured values of closures.

final class OneCaptureKnot: Knot {
  private var work: (() -> Void)?

  override func hold(_ others: [Knot]) -> [Knot] {
    work = nil
    guard let other = others.first else { return [] }
    work = { use(other) }
    return [other]
  }
}

func use<each Value>(_ values: repeat each Value) {}

final class ManyCapturesKnot: Knot {
  private var work: (Int) -> Void = { _ in }

  override func hold(_ others: [Knot]) -> [Knot] {
    work = { _ in }
    guard others.count >= 2 else { return [] }
    let (first, second, flag, text) = (others[0], others[1], true, "text \(number)")
    let list = Array(others.dropFirst(2))
    work = { _ in use(flag, first, text, list, second) }
    return others
  }
}

final class WeakCaptureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 2 else { return [] }
    let (first, second) = (others[0], others[1])
    work = [
      { [weak first] in use(first, second) }, { [weak self, weak first] in use(self, first) },
    ]
    return [second]
  }
}

final class UnownedCaptureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 3 else { return [] }
    let (first, second, third) = (others[0], others[1], others[2])
    work = [
      { [unowned first, unowned(unsafe) second] in use(first, second, third) },
      { [unowned self] in use(self) },
    ]
    return [third]
  }
}

final class BoxCaptureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard let first = others.first else { return [] }
    var last: Knot? = first
    var all = others
    let count = others.count
    work = [
      { last = all.popLast() },
      { if count < 0 { use(last) } },
    ]
    return others
  }
}

final class WeakBoxKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 2 else { return [] }
    weak var first: Knot? = others[0]
    unowned var second = others[1]
    work = [{ first = nil }, { second = first ?? second }]
    return []
  }
}

final class MethodKnot: Knot {
  private var work: [([Knot]) -> [Knot]] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = others.map { $0.hold }
    return others
  }
}

final class NestedClosureKnot: Knot {
  private var work: () -> () -> Void = { {} }

  override func hold(_ others: [Knot]) -> [Knot] {
    work = { {} }
    guard others.count >= 2 else { return [] }
    let (first, second) = (others[0], others[1])
    let inner = { use(first) }
    work = {
      {
        inner()
        use(second)
      }
    }
    return [first, second]
  }
}

final class ValueCaptureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 4 else { return [] }
    let outer = Outer(inner: Inner(knot: others[0]), weakly: Weakly(knot: others[1]))
    let existential: any Holds = SmallHold(knot: others[2])
    let tuple = (Int8(1), Optional(others[3]))
    let error: any Error = TangleError.none
    work = [{ use(outer, existential) }, { use(error, tuple) }]
    return [others[0], others[2], others[3]]
  }
}

final class GenericClosureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 4 else { return [] }
    work = [
      makeWork(others[0]), makeWork([others[1]]), makeWork((Int8(1), others[2] as Knot?)),
      makeWork(Weakly(knot: self)), makeWork(SmallHold(knot: others[3])),
    ]
    return Array(others.prefix(4))
  }
}

@inline(never)
private func makeWork<Value>(_ value: Value) -> () -> Void {
  let values = [value]
  return { use(value, values) }
}

@inline(never)
private func makeWork<A, B, C: Collection, D>(_ a: A, _ b: B, _ c: C, _ d: D?) -> () -> Void
where C.Element: Knot {
  let first = c.first
  return { use(a, b, first, d) }
}

final class GenericFunctionKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 4 else { return [] }
    work = [makeWork(others[0], Int8(1), [others[1]], others[2] as Knot?)]
    work.append(One<Knot>.makeWork(others[3]))
    return Array(others.prefix(4))
  }
}

final class FunctionCaptureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 4 else { return [] }
    let (first, second, third, fourth) = (others[0], others[1], others[2], others[3])
    let plain = { use(first) }
    let takes: ((Knot) -> Knot)? = { other in
      use(second)
      return other
    }
    let throwing: (Int, inout Knot) throws -> [Knot] = { _, _ in [third] }
    let generic = mapping(fourth) { use($0) }
    work = [
      {
        plain()
        use(takes, throwing)
      },
      { generic(fourth) },
    ]
    return [first, second, third, fourth]
  }
}

@inline(never)
private func mapping<Value>(_ value: Value, _ body: @escaping (Value) -> Void) -> (Value) -> Void {
  { _ in body(value) }
}

final class MetatypeCaptureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard let other = others.first else { return [] }
    work = [Self.makeWork(other, type(of: other))]
    return [other]
  }

  private static func makeWork(_ knot: Knot, _ type: Knot.Type) -> () -> Void {
    let thin = Inner.self
    return { use(self, type, thin, knot) }
  }
}

final class AsyncClosureKnot: Knot {
  private var work: [() async throws -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 2 else { return [] }
    let (first, second) = (others[0], others[1])
    let task: @Sendable () async -> Void = {}
    work = [
      { use(first) },
      { [weak first] in
        await task(); use(first, second)
      },
    ]
    return [first, second]
  }
}

final class PackClosureKnot: Knot {
  private var work: [() -> Void] = []

  override func hold(_ others: [Knot]) -> [Knot] {
    work = []
    guard others.count >= 2 else { return [] }
    // Captured values of a pack don't have descriptions, so every word of the context is examined.
    work = [packing(others[0], 1, others[1])]
    return Array(others.prefix(2))
  }
}

@inline(never)
private func packing<each Value>(_ values: repeat each Value) -> () -> Void {
  { use(repeat each values) }
}

final class ClosureArrayKnot: Knot {
  private var handlers: [Int: [(Int) -> Void]] = [:]

  override func hold(_ others: [Knot]) -> [Knot] {
    handlers = [:]
    for (index, other) in others.enumerated() {
      handlers[index % 2, default: []].append { use($0, other) }
    }
    return others
  }
}
