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

let stateRows: [Row] = [
  Row(
    .property,
    [
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
    ]),
  Row(
    .replaySending,
    [
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
    ]),
  Row(
    .replayObserving,
    [
      .closures: { replaying(isLocked: false) },
      .mutex: { replaying(isLocked: true) },
      .ours: {
        let subject = ReplaySubject<Int, Never>(bufferSize: 16), sum = Sum()
        for number in 0..<16 { subject.send(number) }
        return { count in
          for _ in 0..<count { subject.observeNext { sum.value.pointee &+= $0 }.dispose() }
        }
      },
    ]),
  Row(
    .racing,
    [
      .mutex: {
        let sum = Sum()
        let next = locking(opaque { sum.value.pointee &+= $0 })
        return racing("the mutex", sum, next)
      },
      .ours: {
        let subject = PassthroughSubject<Int, Never>(), sum = Sum()
        let observation = subject.observeNext { sum.value.pointee &+= $0 }
        let race = racing("ReactiveKit", sum) { subject.send($0) }
        return {
          race($0); withExtendedLifetime(observation) {}
        }
      },
    ]),
]

let allRows = chainRows + observingRows + joiningRows + stateRows
