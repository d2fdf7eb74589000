import ReactiveKit

private typealias Subject = PassthroughSubject<Int, Never>

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
    .observer,
    [
      .closures: { working(pass(Sum())) },
      .mutex: { working(locking(pass(Sum()))) },
      .ours: {
        sendingOurs { subject, sum in
          subject.observeNext { sum.value.pointee &+= $0 }
        }
      },
    ]),
  Row(
    .stages,
    [
      .closures: { working(sixStages(Sum())) },
      .mutex: { working(locking(sixStages(Sum()))) },
      .ours: {
        sendingOurs { subject, sum in
          subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
            .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
            .observeNext { sum.value.pointee &+= $0 }
        }
      },
    ]),
  Row(
    .sequence,
    [
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
    ]),
  Row(
    .scan,
    [
      .closures: { working(summing(Sum())) },
      .mutex: { working(locking(summing(Sum()))) },
      .ours: {
        sendingOurs { subject, sum in
          subject.scan(0) { $0 &+ $1 }.removeDuplicates()
            .observeNext { sum.value.pointee &+= $0 }
        }
      },
    ]),
]
