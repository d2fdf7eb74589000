import ReactiveKit

private typealias Subject = PassthroughSubject<Int, Never>

private func pairing() -> Next {
  let sum = Sum()
  let pair = LatestPair()
  pair.right = opaque(1)
  let combine: (Int, Int) -> Int = opaque { $0 &+ $1 }
  return opaque { number in
    pair.left = number
    if let left = pair.left, let right = pair.right { sum.value.pointee &+= combine(left, right) }
  }
}

private func switching() -> Next {
  let sum = Sum()
  let newest = Switch { sum.value.pointee &+= $0 }
  let make: (Int) -> ((@escaping Next) -> Void) = opaque { number in { $0(number) } }
  return opaque { number in newest.run(make(number)) }
}

private func merging(isLocked: Bool) -> Work {
  let sum = Sum()
  let last: Next = opaque { sum.value.pointee &+= $0 }
  let merged = isLocked ? locking(last) : mapping({ $0 }, last)
  let sources = (0..<8).map { _ in mapping({ $0 }, merged) }
  return { count in for number in 0..<count { sources[number & 7](number) } }
}

let joiningRows: [Row] = [
  Row(
    .combineLatest,
    [
      .closures: { working(pairing()) },
      .mutex: { working(locking(pairing())) },
      .ours: {
        let left = Subject(), right = Subject(), sum = Sum()
        let observation = left.combineLatest(with: right) { $0 &+ $1 }
          .observeNext { sum.value.pointee &+= $0 }
        right.send(1)
        return { count in
          for number in 0..<count { left.send(number) }
          withExtendedLifetime((observation, right)) {}
        }
      },
    ]),
  Row(
    .flatMapLatest,
    [
      .closures: { working(switching()) },
      .mutex: { working(locking(switching())) },
      .ours: {
        sendingOurs { subject, sum in
          subject.flatMapLatest { Signal<Int, Never>(just: $0) }
            .observeNext { sum.value.pointee &+= $0 }
        }
      },
    ]),
  Row(
    .merge,
    [
      .closures: { merging(isLocked: false) },
      .mutex: { merging(isLocked: true) },
      .ours: {
        let subjects = (0..<8).map { _ in Subject() }, sum = Sum()
        let observation = Signal(flattening: subjects, strategy: .merge)
          .observeNext { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { subjects[number & 7].send(number) }
          withExtendedLifetime(observation) {}
        }
      },
    ]),
]
