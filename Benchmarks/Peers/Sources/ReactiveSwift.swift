import ReactiveSwift

private typealias Pipe = (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)

/// The rows with ReactiveSwift, each in a function, which the compiler checks faster.
let peer = Peer(
  contestant: .reactiveSwift,
  work: [
    .observer: sendingToObserver,
    .stages: sendingThroughStages,
    .sequence: countedSequence,
    .scan: scanning,
    .observing: { observing(others: 0) },
    .observingAmongMany: { observing(others: 10_000) },
    .fanOut: fanningOut,
    .combineLatest: combiningLatest,
    .flatMapLatest: flattening,
    .merge: merging,
    .property: settingProperty,
    .replaySending: sendingToReplay,
    .replayObserving: observingReplay,
    .racing: racingSenders,
  ],
  makeSubscriptions: subscribing)

private func sendingToObserver() -> Work {
  sending { signal, sum in
    signal.observeValues { sum.value.pointee &+= $0 }
  }
}

private func sendingThroughStages() -> Work {
  sending { signal, sum in
    let half = signal.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
    return half.map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
      .observeValues { sum.value.pointee &+= $0 }
  }
}

private func countedSequence() -> Work {
  let sum = Sum()
  return { count in
    for _ in 0..<count {
      SignalProducer<Int, Never>(opaque(0)..<1_000_000).map { $0 &+ 1 }
        .filter { $0 & 1 == 0 }.startWithValues { sum.value.pointee &+= $0 }.dispose()
    }
  }
}

private func scanning() -> Work {
  sending { signal, sum in
    signal.scan(0) { $0 &+ $1 }.skipRepeats().observeValues { sum.value.pointee &+= $0 }
  }
}

private func fanningOut() -> Work {
  let pipe: Pipe = Signal.pipe(), sum = Sum()
  let alive = (0..<1_000).map { _ in
    pipe.output.observeValues { sum.value.pointee &+= $0 }
  }
  return { count in
    for number in 0..<count { pipe.input.send(value: number) }
    withExtendedLifetime((pipe, alive)) {}
  }
}

private func combiningLatest() -> Work {
  let left: Pipe = Signal.pipe(), right: Pipe = Signal.pipe(), sum = Sum()
  let observation = Signal.combineLatest(left.output, right.output).map { $0 &+ $1 }
    .observeValues { sum.value.pointee &+= $0 }
  right.input.send(value: 1)
  return { count in
    for number in 0..<count { left.input.send(value: number) }
    withExtendedLifetime((observation, left, right)) {}
  }
}

private func flattening() -> Work {
  sending { signal, sum in
    signal.flatMap(.latest) { SignalProducer<Int, Never>(value: $0) }
      .observeValues { sum.value.pointee &+= $0 }
  }
}

private func merging() -> Work {
  let pipes: [Pipe] = (0..<8).map { _ in Signal.pipe() }
  let sum = Sum()
  let observation = Signal.merge(pipes.map { $0.output })
    .observeValues { sum.value.pointee &+= $0 }
  return { count in
    for number in 0..<count { pipes[number & 7].input.send(value: number) }
    withExtendedLifetime(observation) {}
  }
}

private func settingProperty() -> Work {
  let property = MutableProperty(0), sum = Sum()
  let observation = property.producer.startWithValues { sum.value.pointee &+= $0 }
  return { count in
    for number in 0..<count { property.value = number }
    withExtendedLifetime(observation) {}
  }
}

private func sendingToReplay() -> Work {
  let pipe: Pipe = Signal.pipe(), sum = Sum()
  let replayed = pipe.output.producer.replayLazily(upTo: 16)
  let observation = replayed.startWithValues { sum.value.pointee &+= $0 }
  return { count in
    for number in 0..<count { pipe.input.send(value: number) }
    withExtendedLifetime((observation, replayed)) {}
  }
}

private func observingReplay() -> Work {
  let pipe: Pipe = Signal.pipe(), sum = Sum()
  let replayed = pipe.output.producer.replayLazily(upTo: 16)
  // The first observer starts the replay, which continues after it.
  replayed.start().dispose()
  for number in 0..<16 { pipe.input.send(value: number) }
  return { count in
    for _ in 0..<count {
      replayed.startWithValues { sum.value.pointee &+= $0 }.dispose()
    }
    withExtendedLifetime(pipe) {}
  }
}

private func racingSenders() -> Work {
  let pipe: Pipe = Signal.pipe(), sum = Sum()
  let observation = pipe.output.observeValues { sum.value.pointee &+= $0 }
  let race = racing("ReactiveSwift", sum) { pipe.input.send(value: $0) }
  return { count in
    race(count)
    withExtendedLifetime(observation) {}
  }
}

private func subscribing() -> () -> Any {
  let pipe: Pipe = Signal.pipe(), sum = Sum()
  return {
    let observation = pipe.output.map { $0 &+ 1 }.filter { $0 & 1 == 0 }
      .observeValues { sum.value.pointee &+= $0 }
    // An optional would need a block of its own in the array.
    return observation.map { $0 as Any } ?? ()
  }
}

/// Sends numbers to a signal that `observe` observes.
private func sending(_ observe: (Signal<Int, Never>, Sum) -> (any Disposable)?) -> Work {
  let pipe: Pipe = Signal.pipe()
  let observation = observe(pipe.output, Sum())
  return { count in
    for number in 0..<count { pipe.input.send(value: number) }
    withExtendedLifetime((pipe, observation)) {}
  }
}

private func observing(others: Int) -> Work {
  let pipe: Pipe = Signal.pipe(), sum = Sum()
  let alive = (0..<others).map { _ in
    pipe.output.observeValues { sum.value.pointee &+= $0 }
  }
  return { count in
    for _ in 0..<count {
      pipe.output.map { $0 &+ 1 }.filter { $0 & 1 == 0 }
        .observeValues { sum.value.pointee &+= $0 }?.dispose()
    }
    withExtendedLifetime((pipe, alive)) {}
  }
}
