import OpenCombine
import ReactiveKit

private typealias Subject = ReactiveKit.PassthroughSubject<Int, Never>
private typealias Peer = OpenCombine.PassthroughSubject<Int, Never>

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
    name: "combineLatest of 2",
    contestants: [
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
    ],
    peers: Recorded(reactiveKit: (740, 209), rxSwift: (605, 386), reactiveSwift: (995, 311))),
  Row(
    name: "flatMapLatest with a one-element inner signal",
    contestants: [
      .closures: { working(switching()) },
      .mutex: { working(locking(switching())) },
      .ours: {
        sendingOurs { subject, sum in
          subject.flatMapLatest { Signal<Int, Never>(just: $0) }
            .observeNext { sum.value.pointee &+= $0 }
        }
      },
      .openCombine: {
        sendingPeer { subject, sum in
          subject.map { Just($0) }.switchToLatest()
            .sink { sum.value.pointee &+= $0 }
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (1921, 760), rxSwift: (1127, 844), reactiveSwift: (3578, 3015),
      openCombine: (708, 890))),
  Row(
    name: "merge of 8 subjects",
    contestants: [
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
      .openCombine: {
        let subjects = (0..<8).map { _ in Peer() }, sum = Sum()
        let observation = Publishers.Sequence<[Peer], Never>(sequence: subjects).flatMap { $0 }
          .sink { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { subjects[number & 7].send(number) }
          withExtendedLifetime(observation) {}
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (369, 104), rxSwift: (420, 204), reactiveSwift: (650, 178),
      openCombine: (177, 221))),
]
