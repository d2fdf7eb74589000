import ReactiveKit
import Synchronization
import TestSupport
import Testing

/// The order of events where signals meet: several threads, sends from inside an observer, one
/// subject on both sides, and disposal in the middle.
@Suite("Order of events in joined signals", .ownThread)
struct JoinOrderTests {
  typealias Subject = PassthroughSubject<Int, Never>
  typealias Pairs = Signal<Pair, Never>

  struct Pair: Equatable {
    let left: Int
    let right: Int

    init(_ left: Int, _ right: Int) {
      self.left = left
      self.right = right
    }
  }

  /// Ways to join two signals. Those with `map` have an operator between subject and join.
  enum Join: String, CaseIterable {
    case combineLatest, zip, latestFrom, many, merge, mappedCombineLatest, mappedMerge, flatMapMerge

    func apply(_ left: Subject, _ right: Subject) -> Pairs {
      switch self {
      case .combineLatest: left.combineLatest(with: right, combine: Pair.init)
      case .zip: left.zip(with: right, combine: Pair.init)
      case .latestFrom: left.with(latestFrom: right, combine: Pair.init)
      case .many: Signal(combiningLatest: [left, right]) { Pair($0[0], $0[1]) }
      case .merge: Signal(flattening: [left, right], strategy: .merge).map { Pair($0, $0) }
      case .mappedCombineLatest:
        left.map { $0 }.combineLatest(with: right.filter { _ in true }, combine: Pair.init)
      case .mappedMerge: left.map { Pair($0, $0) }.merge(with: right.map { Pair($0, $0) })
      case .flatMapMerge:
        Signal(sequence: [left, right]).flatMapMerge { $0.map { Pair($0, $0) } }
      }
    }

    /// A Boolean value that indicates whether, after both sides have sent, each element produces a
    /// pair that differs from the previous one on one side.
    var isLatest: Bool { [.combineLatest, .many, .mappedCombineLatest].contains(self) }

    var isMerge: Bool { [.merge, .mappedMerge, .flatMapMerge].contains(self) }
  }

  /// Returns the numbers that a thread sends, which differ from those of all other threads.
  private func numbers(of thread: Int, _ count: Int) -> Range<Int> {
    let first = (thread + 1) * 1_000_000
    return first..<(first + count)
  }

  /// Expects that the numbers of each thread arrive in the order in which it sent them, without
  /// immediate repetitions. Returns how many arrived.
  @discardableResult
  private func expectOrder(_ elements: [Int], isComplete: Bool = true, _ count: Int) -> Int {
    var seen: [Int: Int] = [:]
    var changes = 0
    var last: Int?
    for element in elements where element != last {
      last = element
      guard element >= 1_000_000 else { continue }
      changes += 1
      let (thread, number) = (element / 1_000_000, element % 1_000_000)
      if let before = seen[thread] { #expect(number > before) }
      seen[thread] = number
    }
    if isComplete { #expect(seen.values.allSatisfy { $0 == count - 1 }) }
    return changes
  }

  @Test(
    "A join delivers the events of two threads per side one at a time and in order",
    arguments: Join.allCases)
  func threads(_ join: Join) {
    let count = 200
    for _ in 0..<5 {
      let (left, right) = (Subject(), Subject())
      let (recorder, disposable) = join.apply(left, right).record()
      right.send(1)
      left.send(2)
      let before = recorder.elements.count
      onThreads(4) { thread in
        for number in numbers(of: thread, count) { (thread < 2 ? left : right).send(number) }
      }
      let elements = recorder.elements
      #expect(recorder.overlapCount == 0)
      let added = elements.count - before
      switch join {
      case _ where join.isLatest:
        #expect(added == 4 * count)
        for (old, new) in zip(elements, elements.dropFirst()) {
          #expect((old.left != new.left) != (old.right != new.right))
        }
        #expect(expectOrder(elements.map(\.left), count) == 2 * count)
        #expect(expectOrder(elements.map(\.right), count) == 2 * count)
      case _ where join.isMerge:
        #expect(added == 4 * count)
        #expect(expectOrder(elements.map(\.left), count) == 4 * count)
      case .zip:
        #expect(added == 2 * count)
        #expect(expectOrder(elements.map(\.left), count) == 2 * count)
        #expect(expectOrder(elements.map(\.right), count) == 2 * count)
      default:
        #expect(added == 2 * count)
        #expect(expectOrder(elements.map(\.left), count) == 2 * count)
        expectOrder(elements.map(\.right), isComplete: false, count)
      }
      disposable.dispose()
    }
  }

  @Test(
    "Two joins that feed each other from two threads deliver one event at a time",
    arguments: Join.allCases)
  func sendsFromInside(_ join: Join) {
    for _ in 0..<10 {
      let (left, right) = (Subject(), Subject())
      let (there, back) = (EventRecorder<Pair, Never>(), EventRecorder<Pair, Never>())
      // Sends to the other side, 200 times in total.
      let rest = Atomic<Int>(200)
      let first = join.apply(left, right).observe { event in
        there.on(event) {
          let number = rest.wrappingSubtract(1, ordering: .relaxed).newValue
          if number >= 0 { right.send(number) }
        }
      }
      let second = join.apply(right, left).observe { event in
        back.on(event) {
          let number = rest.wrappingSubtract(1, ordering: .relaxed).newValue
          if number >= 0 { left.send(number) }
        }
      }
      onThreads(2) { thread in
        for number in 0..<100 { (thread == 0 ? left : right).send(number) }
      }
      #expect(there.overlapCount == 0 && back.overlapCount == 0)
      // Neither thread delivers anymore, so the next events are delivered immediately.
      let before = (there.elements.count, back.elements.count)
      right.send(99)
      left.send(98)
      #expect(there.elements.count > before.0 && back.elements.count > before.1)
      first.dispose()
      second.dispose()
    }
  }

  @Test("An element that an earlier observer sends to the other side arrives before its own event")
  func nestedSend() {
    let (left, right) = (Subject(), Subject())
    let copy = left.observeNext { right.send($0 * 10) }
    let (recorder, disposable) = left.combineLatest(with: right, combine: Pair.init).record()
    for number in 1...3 { left.send(number) }
    #expect(
      recorder.elements == [
        Pair(1, 10), Pair(1, 20), Pair(2, 20), Pair(2, 30), Pair(3, 30),
      ])
    copy.dispose()
    disposable.dispose()
  }

  @Test(
    "A busy subject doesn't block the other side of a join",
    arguments: [Join.combineLatest, .merge])
  func busySubject(_ join: Join) {
    let (left, right) = (Subject(), Subject())
    let (isBusy, mayContinue) = (Flag(), Flag())
    let (recorder, disposable) = join.apply(left, right).record()
    left.send(1)
    right.send(2)
    let slow = left.observeNext { _ in
      isBusy.raise()
      mayContinue.wait()
    }
    onThreads(2) { thread in
      if thread == 0 { return left.send(3) }
      #expect(isBusy.wait())
      let before = recorder.elements.count
      right.send(4)
      #expect(recorder.elements.count == before + 1)
      mayContinue.raise()
    }
    #expect(recorder.overlapCount == 0)
    slow.dispose()
    disposable.dispose()
  }

  @Test("A subject on both sides of a join delivers each event through both before the next one")
  func diamond() {
    let count = 200
    for _ in 0..<5 {
      let subject = Subject()
      let (latest, _) = subject.combineLatest(with: subject, combine: Pair.init).record()
      let (merged, _) = subject.merge(with: subject).record()
      let (zipped, _) = subject.zip(with: subject, combine: Pair.init).record()
      let (sampled, _) = subject.with(latestFrom: subject, combine: Pair.init).record()
      onThreads(4) { thread in
        for number in numbers(of: thread, count) { subject.send(number) }
      }
      let sent = zipped.elements.map(\.left)
      #expect(sent.count == 4 * count)
      expectOrder(sent, count)
      #expect(merged.elements == sent.flatMap { [$0, $0] })
      let doubled = sent.map { Pair($0, $0) }
      #expect(zipped.elements == doubled)
      #expect(sampled.elements == doubled)
      var expected: [Pair] = []
      for (index, number) in sent.enumerated() {
        if index > 0 { expected.append(Pair(number, sent[index - 1])) }
        expected.append(Pair(number, number))
      }
      #expect(latest.elements == expected)
      #expect([latest, zipped, sampled].allSatisfy { $0.overlapCount == 0 })
      #expect(merged.overlapCount == 0)
    }
  }

  @Test(
    "A join disposed by its observer while threads send delivers nothing more and is freed",
    arguments: Join.allCases)
  func disposalInside(_ join: Join) {
    for limit in [1, 2, 50] {
      let (left, right) = (Subject(), Subject())
      let count = Atomic<Int>(0)
      let isFreed = isFreed { canary -> any Disposable in
        let disposable = SerialDisposable(otherDisposable: nil)
        disposable.otherDisposable = join.apply(left, right).observeNext { _ in
          canary.sing()
          if count.wrappingAdd(1, ordering: .relaxed).newValue == limit { disposable.dispose() }
        }
        right.send(-1)
        onThreads(4) { thread in
          for number in 0..<100 { (thread < 2 ? left : right).send(number) }
        }
        return disposable
      }
      #expect(count.load(ordering: .relaxed) == limit)
      #expect(isFreed)
    }
  }

  @Test(
    "A join disposed by another thread delivers one event at a time, then nothing, and is freed",
    arguments: Join.allCases)
  func disposalOutside(_ join: Join) {
    for _ in 0..<10 {
      let (left, right) = (Subject(), Subject())
      let recorder = EventRecorder<Pair, Never>()
      let isFreed = isFreed { canary -> any Disposable in
        let disposable = join.apply(left, right).observe { event in
          recorder.on(event) { canary.sing() }
        }
        onThreads(3) { thread in
          if thread == 2 { return disposable.dispose() }
          for number in 0..<100 { (thread == 0 ? left : right).send(number) }
        }
        return disposable
      }
      #expect(recorder.overlapCount == 0)
      #expect(isFreed)
      let before = recorder.events.count
      left.send(1)
      right.send(1)
      #expect(recorder.events.count == before)
    }
  }

  @Test(
    "A join that ends while threads send delivers one end, after all other events",
    arguments: Join.allCases)
  func ends(_ join: Join) {
    for _ in 0..<10 {
      let (left, right) = (Subject(), Subject())
      let (recorder, disposable) = join.apply(left, right).record()
      onThreads(4) { thread in
        let subject = thread < 2 ? left : right
        for number in 0..<50 { subject.send(number) }
        if thread % 2 == 0 { subject.send(completion: .finished) }
      }
      #expect(recorder.isGrammatical)
      #expect(recorder.overlapCount == 0)
      #expect(recorder.isCompleted)
      #expect(disposable.isDisposed)
    }
  }
}
