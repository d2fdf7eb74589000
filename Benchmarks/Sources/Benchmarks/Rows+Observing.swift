import OpenCombine
import ReactiveKit

private typealias Subject = ReactiveKit.PassthroughSubject<Int, Never>
private typealias Peer = OpenCombine.PassthroughSubject<Int, Never>

private func registering(isLocked: Bool) -> Work {
  let registry = Registry(isLocked: isLocked)
  let sum = Sum()
  return { count in
    for _ in 0..<count {
      let key = registry.add(
        mapping({ $0 &+ 1 }, filtering({ $0 & 1 == 0 }, opaque { sum.value.pointee &+= $0 })))
      registry.remove(key)
    }
  }
}

private func observingOurs(others: Int) -> Work {
  let subject = Subject()
  let sum = Sum()
  let alive = (0..<others).map { _ in subject.observeNext { sum.value.pointee &+= $0 } }
  return { count in
    for _ in 0..<count {
      subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 }
        .dispose()
    }
    withExtendedLifetime(alive) {}
  }
}

private func observingPeer(others: Int) -> Work {
  let subject = Peer()
  let sum = Sum()
  let alive = (0..<others).map { _ in subject.sink { sum.value.pointee &+= $0 } }
  return { count in
    for _ in 0..<count {
      subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum.value.pointee &+= $0 }.cancel()
    }
    withExtendedLifetime(alive) {}
  }
}

private func fanOut(isLocked: Bool) -> Work {
  let sum = Sum()
  let observers: [Next] = (0..<1_000).map { _ in opaque { sum.value.pointee &+= $0 } }
  let lock = MutexBox()
  return { count in
    for number in 0..<count {
      if isLocked {
        lock.mutex.withLock { _ in for observer in observers { observer(number) } }
      } else {
        for observer in observers { observer(number) }
      }
    }
  }
}

let observingRows: [Row] = [
  Row(
    name: "make map->filter over a subject, observe, dispose", unit: "operation",
    contestants: [
      .closures: { registering(isLocked: false) },
      .mutex: { registering(isLocked: true) },
      .ours: { observingOurs(others: 0) },
      .openCombine: { observingPeer(others: 0) },
    ],
    peers: Recorded(
      reactiveKit: (2000, 1783), rxSwift: (3040, 3044), reactiveSwift: (6191, 5441),
      openCombine: (1629, 1204))),
  Row(
    name: "the same with 10,000 other observers alive", unit: "operation",
    contestants: [
      .ours: { observingOurs(others: 10_000) },
      .openCombine: { observingPeer(others: 10_000) },
    ],
    peers: Recorded(
      reactiveKit: (621_000, 621_000), rxSwift: (3_400, 3_400), reactiveSwift: (235_000, 235_000),
      openCombine: (2_100, 2_100))),
  Row(
    name: "one delivery of a fan-out to 1,000 observers", unit: "delivery",
    operationsPerCall: 1_000,
    contestants: [
      .closures: { fanOut(isLocked: false) },
      .mutex: { fanOut(isLocked: true) },
      .ours: {
        let subject = Subject(), sum = Sum()
        let alive = (0..<1_000).map { _ in subject.observeNext { sum.value.pointee &+= $0 } }
        return { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(alive) {}
        }
      },
      .openCombine: {
        let subject = Peer(), sum = Sum()
        let alive = (0..<1_000).map { _ in subject.sink { sum.value.pointee &+= $0 } }
        return { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(alive) {}
        }
      },
    ],
    peers: Recorded(
      reactiveKit: (54, 13), rxSwift: (103, 72), reactiveSwift: (48, 11), openCombine: (119, 129))),
]
