/// Compares values of random types, which are nested up to five deep.
func compareRandomTypes(_ compare: inout Comparison, seed: UInt64) {
  var numbers = Numbers(state: seed)
  for round in 0..<2000 {
    let depth = Int(numbers.next() % 6)
    var grower = Grower(comparison: compare, numbers: numbers, place: "random type \(round)")
    switch numbers.next() % 9 {
    case 0: grower.grow(Int(truncatingIfNeeded: numbers.next()), depth)
    case 1: grower.grow("text \(numbers.next() % 100)", depth)
    case 2: grower.grow(numbers.next() % 2 == 0, depth)
    case 3: grower.grow(Double(numbers.next() % 1000) / 8, depth)
    case 4: grower.grow(Plain.second, depth)
    case 5: grower.grow(Item(), depth)
    case 6: grower.grow((), depth)
    case 7: grower.grow(UInt8(truncatingIfNeeded: numbers.next()), depth)
    default: grower.grow(1.5 as Any, depth)
    }
    (compare, numbers) = (grower.comparison, grower.numbers)
  }
}

private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD >> 20
  }
}

/// Wraps a value in one type after another, and compares the last value.
private struct Grower {
  var comparison: Comparison
  var numbers: Numbers
  let place: String

  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func grow<Value>(_ value: Value, _ depth: Int) {
    guard depth > 0 else { return comparison.compare(value, place) }
    let rest = depth - 1
    switch numbers.next() % 18 {
    case 0: grow(Holder(before: -3, value: value, after: "z"), rest)
    case 1: grow(Optional(value), rest)
    case 2: grow(Value?.none, rest)
    case 3: grow([value, value], rest)
    case 4: grow([Value](), rest)
    case 5: grow((value, "pair"), rest)
    case 6: grow((first: 1 as Int8, second: value), rest)
    case 7: grow(Choice.value(value), rest)
    case 8: grow(Choice<Value>.other(3), rest)
    case 9: grow(Choice.boxed(value), rest)
    case 10: grow(Choice.named(value: value), rest)
    case 11: grow(Only.value(value), rest)
    case 12: grow(Generic<Value, Item>.left(value), rest)
    case 13: grow(Generic<Value, Bool>.both(value, true), rest)
    case 14: grow(["k": value, "l": value], rest)
    case 15: grow(value as Any, rest)
    case 16: grow(List.more(value, .end), rest)
    default: grow(Generic<String, Value>.right(value), rest)
    }
  }
}
