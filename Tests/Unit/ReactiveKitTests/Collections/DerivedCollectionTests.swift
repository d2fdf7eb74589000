import ReactiveKit
import Testing

/// Numbers that look random and are the same in each run.
private struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

@Suite("Derived collections")
struct DerivedCollectionTests {
  /// Edits an array at random, singly and in batches. After each event, expects that the derived
  /// collection equals one that is derived from scratch, and that the changes lead to it.
  private func check(
    seed: UInt64,
    derive: (ObservableCollection<[Int]>) -> DerivedCollection<Int>,
    expected: ([Int]) -> [Int]
  ) {
    var random = Random(state: seed)
    let source = ObservableCollection((0..<8).map { _ in Int.random(in: 0..<20, using: &random) })
    let derived = derive(source)
    var applied: [Int]?
    var eventCount = 0
    let disposable = derived.observeNext { event in
      eventCount += 1
      guard var array = applied else { return applied = event.collection }
      for index in event.deletes.reversed() { array.remove(at: index) }
      for index in event.inserts { array.insert(event.collection[index], at: index) }
      for index in event.updates { array[index] = event.collection[index] }
      #expect(array == event.collection)
      applied = array
    }
    func edit(_ source: ObservableCollection<[Int]>) {
      let count = source.count
      let value = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where count > 0: source.remove(at: Int.random(in: 0..<count, using: &random))
      case 1 where count > 0: source[Int.random(in: 0..<count, using: &random)] = value
      case 2: source.insert(value, at: Int.random(in: 0...count, using: &random))
      case 3 where count > 2: source.move(from: count - 1, to: 0)
      case 4 where count > 12: source.removeSubrange(2..<7)
      case 5:
        source.replace(
          Array(source.collection.shuffled(using: &random).dropLast(1)), performDiff: true)
      case 6: source.insert(contentsOf: [value, value + 1], at: count / 2)
      default: source.append(value)
      }
    }
    for round in 0..<400 {
      if round % 5 == 0 {
        source.batchUpdate { source in
          for _ in 0..<6 { edit(source) }
        }
      } else {
        edit(source)
      }
      #expect(derived.collection == expected(source.collection))
      #expect(applied == derived.collection)
    }
    #expect(eventCount > 100)
    disposable.dispose()
  }

  @Test("A mapped collection follows its source", arguments: 1...5)
  func map(seed: UInt64) {
    check(
      seed: seed, derive: { $0.map { (number: Int) in number * 3 } },
      expected: { $0.map { $0 * 3 } })
  }

  @Test("A filtered collection follows its source", arguments: 1...5)
  func filter(seed: UInt64) {
    check(
      seed: seed, derive: { $0.filter { (number: Int) in number % 3 != 0 } },
      expected: { $0.filter { $0 % 3 != 0 } })
  }

  @Test("A sorted collection follows its source", arguments: 1...5)
  func sorted(seed: UInt64) {
    check(seed: seed, derive: { $0.sorted() }, expected: { $0.sorted() })
  }

  @Test("A chain of derived collections follows its source", arguments: 1...5)
  func chain(seed: UInt64) {
    check(
      seed: seed,
      derive: {
        $0.filter { (number: Int) in number % 2 == 0 }.map { (number: Int) in -number }.sorted()
      },
      expected: { $0.filter { $0 % 2 == 0 }.map { -$0 }.sorted() })
  }

  @Test("A derived collection reports only the changes that affect it")
  func minimalChanges() {
    let numbers = ObservableCollection([3, 1, 2])
    let sorted = numbers.sorted()
    let big = numbers.filter { (number: Int) in number > 1 }
    var sortedEvents: [ObservableCollectionEvent<[Int]>] = []
    var bigEvents: [ObservableCollectionEvent<[Int]>] = []
    let first = sorted.observeNext { sortedEvents.append($0) }
    let second = big.observeNext { bigEvents.append($0) }
    numbers.append(0)
    #expect(sortedEvents.last == .init(collection: [0, 1, 2, 3], inserts: [0]))
    #expect(bigEvents.count == 1)
    numbers[0] = 9
    #expect(sortedEvents.last == .init(collection: [0, 1, 2, 9], updates: [3]))
    #expect(bigEvents.last == .init(collection: [9, 2], updates: [0]))
    numbers[0] = -1
    #expect(sortedEvents.last == .init(collection: [-1, 0, 1, 2], inserts: [0], deletes: [3]))
    #expect(bigEvents.last == .init(collection: [2], deletes: [0]))
    first.dispose()
    second.dispose()
  }

  @Test("A derived collection completes with its source, and stops following it when deallocated")
  func end() {
    var numbers: ObservableCollection<[Int]>? = ObservableCollection([1])
    var calls = 0
    var doubled = numbers?.map { (number: Int) -> Int in
      calls += 1
      return number * 2
    }
    numbers?.append(2)
    #expect(calls == 2)
    var isCompleted = false
    let disposable = doubled?.observeCompleted { isCompleted = true }
    disposable?.dispose()
    doubled = nil
    numbers?.append(3)
    #expect(calls == 2)
    let kept = numbers?.sorted()
    let second = kept?.observeCompleted { isCompleted = true }
    numbers = nil
    #expect(isCompleted)
    second?.dispose()
  }
}
