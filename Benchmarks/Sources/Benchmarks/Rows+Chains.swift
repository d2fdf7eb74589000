import OpenCombine
import ReactiveKit

private typealias Subject = ReactiveKit.PassthroughSubject<Int, Never>
private typealias Peer = OpenCombine.PassthroughSubject<Int, Never>

private func pass(_ sum: Sum) -> Next { opaque { sum.value.pointee &+= $0 } }

private func sixStages(_ sum: Sum) -> Next {
  mapping(
    { $0 &+ 1 },
    mapping(
      { $0 &* 3 },
      filtering(
        { $0 != 7 },
        mapping({ $0 &+ 2 }, filtering({ $0 != 9 }, mapping({ $0 ^ 5 }, pass(sum)))))))
}

/// Returns a chain with a running sum, which drops a sum that equals the previous one.
private func summing(_ sum: Sum) -> Next {
  let total = Variable()
  let last = Variable()
  let distinct: Next = opaque { [next = pass(sum)] in
    if $0 != last.number {
      last.number = $0
      next($0)
    }
  }
  return opaque { number in
    total.number = total.number &+ number
    distinct(total.number)
  }
}

let chainRows: [Row] = [
  Row(
    name: "subject -> 1 observer",
    contestants: [
      .closures: { working(pass(Sum())) },
      .mutex: { working(locking(pass(Sum()))) },
      .ours: {
        sendingOurs { subject, sum in
          subject.observeNext { sum.value.pointee &+= $0 }
        }
      },
      .openCombine: {
        sendingPeer { subject, sum in
          subject.sink { sum.value.pointee &+= $0 }
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (168, 127), rxSwift: (314, 118), reactiveSwift: (235, 47),
      openCombine: (128, 145))),
  Row(
    name: "subject -> 4 map, 2 filter -> observer",
    contestants: [
      .closures: { working(sixStages(Sum())) },
      .mutex: { working(locking(sixStages(Sum()))) },
      .ours: {
        sendingOurs { subject, sum in
          subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
            .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
            .observeNext { sum.value.pointee &+= $0 }
        }
      },
      .openCombine: {
        sendingPeer { subject, sum in
          subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
            .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
            .sink { sum.value.pointee &+= $0 }
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (1223, 274), rxSwift: (791, 643), reactiveSwift: (1889, 659),
      openCombine: (403, 180))),
  Row(
    name: "cold sequence of 1M -> map -> filter -> sum", operationsPerCall: 1_000_000,
    contestants: [
      .closures: {
        let next = mapping({ $0 &+ 1 }, filtering({ $0 & 1 == 0 }, pass(Sum())))
        return { for _ in 0..<$0 { for number in 0..<1_000_000 { next(number) } } }
      },
      .ours: {
        let sum = Sum()
        return { count in
          for _ in 0..<count {
            Signal<Int, Never>(sequence: opaque(0)..<1_000_000).map { $0 &+ 1 }
              .filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 }.dispose()
          }
        }
      },
      .openCombine: {
        let sum = Sum()
        return { count in
          for _ in 0..<count {
            Publishers.Sequence<Range<Int>, Never>(sequence: opaque(0)..<1_000_000)
              .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum.value.pointee &+= $0 }.cancel()
          }
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (534, 61), rxSwift: (2163, 2269), reactiveSwift: (302, 126),
      openCombine: (257, 253))),
  Row(
    name: "scan -> removeDuplicates",
    contestants: [
      .closures: { working(summing(Sum())) },
      .mutex: { working(locking(summing(Sum()))) },
      .ours: {
        sendingOurs { subject, sum in
          subject.scan(0) { $0 &+ $1 }.removeDuplicates()
            .observeNext { sum.value.pointee &+= $0 }
        }
      },
      .openCombine: {
        sendingPeer { subject, sum in
          subject.scan(0) { $0 &+ $1 }.removeDuplicates()
            .sink { sum.value.pointee &+= $0 }
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (1687, 284), rxSwift: (542, 316), reactiveSwift: (760, 265),
      openCombine: (592, 584))),
]
