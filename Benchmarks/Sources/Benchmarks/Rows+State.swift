import OpenCombine
import ReactiveKit

private func remembering(isRing: Bool) -> Next {
  let sum = Sum()
  let ring = Ring()
  let variable = Variable()
  let next: Next = opaque { sum.value.pointee &+= $0 }
  return isRing
    ? opaque {
      ring.append($0); next($0)
    }
    : opaque {
      variable.number = $0; next($0)
    }
}

private func replaying(isLocked: Bool) -> Work {
  let sum = Sum()
  let ring = Ring()
  let registry = Registry(isLocked: isLocked)
  for number in 0..<16 { ring.append(number) }
  return { count in
    for _ in 0..<count {
      let observer: Next = opaque { sum.value.pointee &+= $0 }
      let key = registry.add(observer)
      for number in ring.numbers { observer(number) }
      registry.remove(key)
    }
  }
}

/// Has four threads send at the same time. Stops the program if an event is lost, or if two are
/// delivered at the same time.
private func racing(_ name: String, _ sum: Sum, _ send: @escaping (Int) -> Void) -> Work {
  { count in
    let before = sum.value.pointee
    let share = (count + 3) / 4
    onThreads(4) { _ in for _ in 0..<share { send(1) } }
    let delivered = sum.value.pointee - before
    guard delivered == share * 4 else {
      fatalError(
        "\(name) delivered \(delivered) of \(share * 4) events: it lost some, or two at once.")
    }
  }
}

let stateRows: [Row] = [
  Row(
    name: "Property set, 1 observer",
    contestants: [
      .closures: { working(remembering(isRing: false)) },
      .mutex: { working(locking(remembering(isRing: false))) },
      .ours: {
        let property = Property(0), sum = Sum()
        let observation = property.observeNext { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { property.value = number }
          withExtendedLifetime(observation) {}
        }
      },
      .openCombine: {
        let subject = CurrentValueSubject<Int, Never>(0), sum = Sum()
        let observation = subject.sink { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { subject.value = number }
          withExtendedLifetime(observation) {}
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (529, 197), rxSwift: (364, 126), reactiveSwift: (510, 194),
      openCombine: (165, 148))),
  Row(
    name: "replay subject of 16, send",
    contestants: [
      .closures: { working(remembering(isRing: true)) },
      .mutex: { working(locking(remembering(isRing: true))) },
      .ours: {
        let subject = ReplaySubject<Int, Never>(bufferSize: 16), sum = Sum()
        let observation = subject.observeNext { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(observation) {}
        }
      },
    ],
    peers: Recorded(reactiveKit: (465, 420), rxSwift: (754, 740), reactiveSwift: (1473, 325))),
  Row(
    name: "replay subject of 16, observe", unit: "operation",
    contestants: [
      .closures: { replaying(isLocked: false) },
      .mutex: { replaying(isLocked: true) },
      .ours: {
        let subject = ReplaySubject<Int, Never>(bufferSize: 16), sum = Sum()
        for number in 0..<16 { subject.send(number) }
        return { count in
          for _ in 0..<count { subject.observeNext { sum.value.pointee &+= $0 }.dispose() }
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (2804, 2038), rxSwift: (5354, 4948), reactiveSwift: (10054, 5121))),
  Row(
    name: "4 threads sending to one subject, wall",
    contestants: [
      .mutex: {
        let sum = Sum()
        let next = locking(opaque { sum.value.pointee &+= $0 })
        return racing("the mutex", sum, next)
      },
      .ours: {
        let subject = ReactiveKit.PassthroughSubject<Int, Never>(), sum = Sum()
        let observation = subject.observeNext { sum.value.pointee &+= $0 }
        let race = racing("ReactiveKit", sum) { subject.send($0) }
        return {
          race($0); withExtendedLifetime(observation) {}
        }
      },
      .openCombine: {
        let subject = OpenCombine.PassthroughSubject<Int, Never>(), sum = Sum()
        let observation = subject.sink { sum.value.pointee &+= $0 }
        let race = racing("OpenCombine", sum) { subject.send($0) }
        return {
          race($0); withExtendedLifetime(observation) {}
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (392, 115), rxSwift: (275, 242), reactiveSwift: (413, 115),
      openCombine: (273, 253))),
]

let allRows = chainRows + observingRows + joiningRows + stateRows
