import Foundation
import RxSwift

/// The rows with RxSwift.
let peer = Peer(
  contestant: .rxSwift,
  work: [
    .observer: {
      sending { subject, sum in
        subject.subscribe(onNext: { sum.value.pointee &+= $0 })
      }
    },
    .stages: {
      sending { subject, sum in
        subject.map { $0 &+ 1 }.map { $0 &* 3 }.filter { $0 != 7 }
          .map { $0 &+ 2 }.filter { $0 != 9 }.map { $0 ^ 5 }
          .subscribe(onNext: { sum.value.pointee &+= $0 })
      }
    },
    .sequence: {
      let sum = Sum()
      return { count in
        for _ in 0..<count {
          Observable.from(opaque(0)..<1_000_000).map { $0 &+ 1 }.filter { $0 & 1 == 0 }
            .subscribe(onNext: { sum.value.pointee &+= $0 }).dispose()
        }
      }
    },
    .scan: {
      sending { subject, sum in
        subject.scan(0) { $0 &+ $1 }.distinctUntilChanged()
          .subscribe(onNext: { sum.value.pointee &+= $0 })
      }
    },
    .observing: { observing(others: 0) },
    .observingAmongMany: { observing(others: 10_000) },
    .fanOut: {
      let subject = PublishSubject<Int>(), sum = Sum()
      let alive = (0..<1_000).map { _ in subject.subscribe(onNext: { sum.value.pointee &+= $0 }) }
      return { count in
        for number in 0..<count { subject.onNext(number) }
        withExtendedLifetime(alive) {}
      }
    },
    .combineLatest: {
      let left = PublishSubject<Int>(), right = PublishSubject<Int>(), sum = Sum()
      let observation = Observable.combineLatest(left, right) { $0 &+ $1 }
        .subscribe(onNext: { sum.value.pointee &+= $0 })
      right.onNext(1)
      return { count in
        for number in 0..<count { left.onNext(number) }
        withExtendedLifetime((observation, right)) {}
      }
    },
    .flatMapLatest: {
      sending { subject, sum in
        subject.flatMapLatest { Observable.just($0) }
          .subscribe(onNext: { sum.value.pointee &+= $0 })
      }
    },
    .merge: {
      let subjects = (0..<8).map { _ in PublishSubject<Int>() }, sum = Sum()
      let observation = Observable.merge(subjects.map { $0.asObservable() })
        .subscribe(onNext: { sum.value.pointee &+= $0 })
      return { count in
        for number in 0..<count { subjects[number & 7].onNext(number) }
        withExtendedLifetime(observation) {}
      }
    },
    .property: {
      let subject = BehaviorSubject(value: 0), sum = Sum()
      let observation = subject.subscribe(onNext: { sum.value.pointee &+= $0 })
      return { count in
        for number in 0..<count { subject.onNext(number) }
        withExtendedLifetime(observation) {}
      }
    },
    .replaySending: {
      let subject = ReplaySubject<Int>.create(bufferSize: 16), sum = Sum()
      let observation = subject.subscribe(onNext: { sum.value.pointee &+= $0 })
      return { count in
        for number in 0..<count { subject.onNext(number) }
        withExtendedLifetime(observation) {}
      }
    },
    .replayObserving: {
      let subject = ReplaySubject<Int>.create(bufferSize: 16), sum = Sum()
      for number in 0..<16 { subject.onNext(number) }
      return { count in
        for _ in 0..<count {
          subject.subscribe(onNext: { sum.value.pointee &+= $0 }).dispose()
        }
      }
    },
    .racing: {
      let subject = PublishSubject<Int>(), sum = Sum()
      let observation = subject.subscribe(onNext: { sum.value.pointee &+= $0 })
      // Senders have to take turns, because a subject of RxSwift delivers to its observers on
      // several threads at the same time.
      let lock = NSLock()
      let race = racing("RxSwift", sum) { number in
        lock.lock()
        subject.onNext(number)
        lock.unlock()
      }
      return {
        race($0); withExtendedLifetime(observation) {}
      }
    },
  ],
  makeSubscriptions: {
    let subject = PublishSubject<Int>(), sum = Sum()
    return {
      subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }
        .subscribe(onNext: { sum.value.pointee &+= $0 })
    }
  })

/// Sends numbers to a subject that `observe` observes.
private func sending(_ observe: (PublishSubject<Int>, Sum) -> any Disposable) -> Work {
  let subject = PublishSubject<Int>()
  let observation = observe(subject, Sum())
  return { count in
    for number in 0..<count { subject.onNext(number) }
    withExtendedLifetime(observation) {}
  }
}

private func observing(others: Int) -> Work {
  let subject = PublishSubject<Int>(), sum = Sum()
  let alive = (0..<others).map { _ in subject.subscribe(onNext: { sum.value.pointee &+= $0 }) }
  return { count in
    for _ in 0..<count {
      subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }
        .subscribe(onNext: { sum.value.pointee &+= $0 }).dispose()
    }
    withExtendedLifetime(alive) {}
  }
}
