#if canImport(OpenCombine)
  import OpenCombine

  /// The rows with OpenCombine, which has neither `combineLatest` nor a replay subject.
  let peer = Peer(
    contestant: .openCombine,
    work: [
      .observer: {
        sending { subject, sum in
          subject.sink { sum.value.pointee &+= $0 }
        }
      },
      .stages: {
        sending { subject, sum in
          subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
            .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
            .sink { sum.value.pointee &+= $0 }
        }
      },
      .sequence: {
        let sum = Sum()
        return { count in
          for _ in 0..<count {
            Publishers.Sequence<Range<Int>, Never>(sequence: opaque(0)..<1_000_000)
              .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum.value.pointee &+= $0 }.cancel()
          }
        }
      },
      .scan: {
        sending { subject, sum in
          subject.scan(0) { $0 &+ $1 }.removeDuplicates()
            .sink { sum.value.pointee &+= $0 }
        }
      },
      .observing: { observingPeer(others: 0) },
      .observingAmongMany: { observingPeer(others: 10_000) },
      .fanOut: {
        let subject = PassthroughSubject<Int, Never>(), sum = Sum()
        let alive = (0..<1_000).map { _ in subject.sink { sum.value.pointee &+= $0 } }
        return { count in
          for number in 0..<count { subject.send(number) }
          withExtendedLifetime(alive) {}
        }
      },
      .flatMapLatest: {
        sending { subject, sum in
          subject.map { Just($0) }.switchToLatest()
            .sink { sum.value.pointee &+= $0 }
        }
      },
      .merge: {
        let subjects = (0..<8).map { _ in PassthroughSubject<Int, Never>() }, sum = Sum()
        let observation = Publishers.Sequence<[PassthroughSubject<Int, Never>], Never>(
          sequence: subjects
        )
        .flatMap { $0 }.sink { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { subjects[number & 7].send(number) }
          withExtendedLifetime(observation) {}
        }
      },
      .property: {
        let subject = CurrentValueSubject<Int, Never>(0), sum = Sum()
        let observation = subject.sink { sum.value.pointee &+= $0 }
        return { count in
          for number in 0..<count { subject.value = number }
          withExtendedLifetime(observation) {}
        }
      },
      .racing: {
        let subject = PassthroughSubject<Int, Never>(), sum = Sum()
        let observation = subject.sink { sum.value.pointee &+= $0 }
        let race = racing("OpenCombine", sum) { subject.send($0) }
        return {
          race($0); withExtendedLifetime(observation) {}
        }
      },
    ],
    makeSubscriptions: {
      let subject = PassthroughSubject<Int, Never>(), sum = Sum()
      return { subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum.value.pointee &+= $0 } }
    })

  /// Sends numbers to a subject that `observe` observes.
  private func sending(
    _ observe: (PassthroughSubject<Int, Never>, Sum) -> AnyCancellable
  ) -> Work {
    let subject = PassthroughSubject<Int, Never>()
    let observation = observe(subject, Sum())
    return { count in
      for number in 0..<count { subject.send(number) }
      withExtendedLifetime(observation) {}
    }
  }

  /// Returns the work of observing a subject that has `others` other observers.
  func observingPeer(others: Int) -> Work {
    let subject = PassthroughSubject<Int, Never>()
    let sum = Sum()
    let alive = (0..<others).map { _ in subject.sink { sum.value.pointee &+= $0 } }
    return { count in
      for _ in 0..<count {
        subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum.value.pointee &+= $0 }.cancel()
      }
      withExtendedLifetime(alive) {}
    }
  }
#endif
