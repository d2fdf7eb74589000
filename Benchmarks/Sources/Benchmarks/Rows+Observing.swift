import ReactiveKit

private typealias Subject = PassthroughSubject<Int, Never>

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

/// Returns the work of observing a subject that has `others` other observers.
func observingOurs(others: Int) -> Work {
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
    .observing,
    [
      .closures: { registering(isLocked: false) },
      .mutex: { registering(isLocked: true) },
      .ours: { observingOurs(others: 0) },
    ]),
  Row(
    .observingAmongMany,
    [
      .ours: { observingOurs(others: 10_000) }
    ]),
  Row(
    .fanOut,
    [
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
    ]),
]
