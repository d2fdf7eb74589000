import ReactiveKit

/// The rows with the original ReactiveKit.
let peer = Peer(
  contestant: .reactiveKit,
  work: [
    .observer: {
      sending { subject, sum in
        subject.observeNext { sum.value.pointee &+= $0 }
      }
    },
    .stages: {
      sending { subject, sum in
        subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
          .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
          .observeNext { sum.value.pointee &+= $0 }
      }
    },
    .sequence: {
      let sum = Sum()
      return { count in
        for _ in 0..<count {
          Signal<Int, Never>(sequence: opaque(0)..<1_000_000).map { $0 &+ 1 }
            .filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 }.dispose()
        }
      }
    },
    .scan: {
      sending { subject, sum in
        subject.scan(0) { $0 &+ $1 }.removeDuplicates()
          .observeNext { sum.value.pointee &+= $0 }
      }
    },
    .observing: { observing(others: 0) },
    .observingAmongMany: { observing(others: 10_000) },
    .fanOut: {
      let subject = PassthroughSubject<Int, Never>(), sum = Sum()
      let alive = (0..<1_000).map { _ in subject.observeNext { sum.value.pointee &+= $0 } }
      return { count in
        for number in 0..<count { subject.send(number) }
        withExtendedLifetime(alive) {}
      }
    },
    .combineLatest: {
      let left = PassthroughSubject<Int, Never>(), right = PassthroughSubject<Int, Never>()
      let sum = Sum()
      let observation = left.combineLatest(with: right) { $0 &+ $1 }
        .observeNext { sum.value.pointee &+= $0 }
      right.send(1)
      return { count in
        for number in 0..<count { left.send(number) }
        withExtendedLifetime((observation, right)) {}
      }
    },
    .flatMapLatest: {
      sending { subject, sum in
        subject.flatMapLatest { Signal<Int, Never>(just: $0) }
          .observeNext { sum.value.pointee &+= $0 }
      }
    },
    .merge: {
      let subjects = (0..<8).map { _ in PassthroughSubject<Int, Never>() }, sum = Sum()
      let observation = Signal(flattening: subjects, strategy: .merge)
        .observeNext { sum.value.pointee &+= $0 }
      return { count in
        for number in 0..<count { subjects[number & 7].send(number) }
        withExtendedLifetime(observation) {}
      }
    },
    .property: {
      let property = Property(0), sum = Sum()
      let observation = property.observeNext { sum.value.pointee &+= $0 }
      return { count in
        for number in 0..<count { property.value = number }
        withExtendedLifetime(observation) {}
      }
    },
    .replaySending: {
      let subject = ReplaySubject<Int, Never>(bufferSize: 16), sum = Sum()
      let observation = subject.observeNext { sum.value.pointee &+= $0 }
      return { count in
        for number in 0..<count { subject.send(number) }
        withExtendedLifetime(observation) {}
      }
    },
    .replayObserving: {
      let subject = ReplaySubject<Int, Never>(bufferSize: 16), sum = Sum()
      for number in 0..<16 { subject.send(number) }
      return { count in
        for _ in 0..<count { subject.observeNext { sum.value.pointee &+= $0 }.dispose() }
      }
    },
    .racing: {
      let subject = PassthroughSubject<Int, Never>(), sum = Sum()
      let observation = subject.observeNext { sum.value.pointee &+= $0 }
      let race = racing("ReactiveKit 3", sum) { subject.send($0) }
      return {
        race($0); withExtendedLifetime(observation) {}
      }
    },
  ],
  makeSubscriptions: {
    let subject = PassthroughSubject<Int, Never>(), sum = Sum()
    return {
      subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 }
    }
  })

/// Sends numbers to a subject that `observe` observes.
private func sending(_ observe: (PassthroughSubject<Int, Never>, Sum) -> any Disposable) -> Work {
  let subject = PassthroughSubject<Int, Never>()
  let observation = observe(subject, Sum())
  return { count in
    for number in 0..<count { subject.send(number) }
    withExtendedLifetime(observation) {}
  }
}

private func observing(others: Int) -> Work {
  let subject = PassthroughSubject<Int, Never>(), sum = Sum()
  let alive = (0..<others).map { _ in subject.observeNext { sum.value.pointee &+= $0 } }
  return { count in
    for _ in 0..<count {
      subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 }
        .dispose()
    }
    withExtendedLifetime(alive) {}
  }
}
