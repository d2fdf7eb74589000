import ReactiveKit
import TestSupport
import Testing

/// An observer that collects the changes of a collection, and applies them to its own copy.
private final class Follower<Member> {
  typealias Event = ObservableCollectionEvent<[Member]>

  private(set) var events: [Event] = []
  private(set) var applied: [Member] = []
  private(set) var isCompleted = false
  private var disposable: (any Disposable)?

  init(_ source: some ObservableCollectionProtocol<[Member]>) {
    disposable = source.observe { [weak self] event in
      switch event {
      case .next(let change): self?.apply(change)
      case .completed: self?.isCompleted = true
      }
    }
  }

  deinit {
    disposable?.dispose()
  }

  private func apply(_ event: Event) {
    if events.isEmpty {
      applied = event.collection
    } else {
      for index in event.deletes.reversed() { applied.remove(at: index) }
      for index in event.inserts { applied.insert(event.collection[index], at: index) }
      for index in event.updates { applied[index] = event.collection[index] }
    }
    events.append(event)
  }

  var last: Event? { events.last }
}

@Suite("ObservableCollection", .ownThread)
struct ObservableCollectionTests {
  @Test("A collection sends its contents first, then each change with its indices")
  func changes() {
    let names = ObservableCollection(["Steve", "Tim"])
    let follower = Follower(names)
    #expect(follower.last == .init(collection: ["Steve", "Tim"]))
    names.append("John")
    #expect(follower.last == .init(collection: ["Steve", "Tim", "John"], inserts: [2]))
    names.removeLast()
    #expect(follower.last == .init(collection: ["Steve", "Tim"], deletes: [2]))
    names[1] = "Mark"
    #expect(follower.last == .init(collection: ["Steve", "Mark"], updates: [1]))
    names.insert(contentsOf: ["A", "B"], at: 1)
    #expect(follower.last?.inserts == [1, 2])
    names.move(from: 0, to: 3)
    #expect(follower.last?.deletes == [0])
    #expect(follower.last?.inserts == [3])
    names.removeSubrange(1..<3)
    #expect(follower.last?.deletes == [1, 2])
    #expect(names.remove(at: 0) == "A")
    #expect(names.popLast() == "Steve")
    #expect(names.popLast() == nil)
    #expect(follower.applied == names.collection)
    #expect(follower.events.count == 9)
  }

  @Test("replace reports the differences, or replaces everything")
  func replace() {
    let numbers = ObservableCollection([1, 2, 3])
    let follower = Follower(numbers)
    numbers.replace([0, 1, 3, 4], performDiff: true)
    #expect(follower.last == .init(collection: [0, 1, 3, 4], inserts: [0, 3], deletes: [1]))
    numbers.replace([0, 1, 3, 4], performDiff: true)
    #expect(follower.events.count == 2)
    numbers.replace([9])
    #expect(follower.last == .init(collection: [9], inserts: [0], deletes: [0, 1, 2, 3]))
    numbers.removeAll()
    #expect(follower.last == .init(collection: [], deletes: [0]))
  }

  @Test("A batch and the batches nested in it are sent as one event")
  func batch() {
    let numbers = ObservableCollection([1, 2, 3])
    let follower = Follower(numbers)
    numbers.batchUpdate { numbers in
      numbers.append(4)
      numbers.remove(at: 0)
      numbers.batchUpdate { $0[0] = 20 }
      numbers.insert(9, at: 0)
      numbers.remove(at: 0)
      #expect(follower.events.count == 1)
      #expect(numbers.collection == [20, 3, 4])
    }
    #expect(
      follower.last == .init(collection: [20, 3, 4], inserts: [2], deletes: [0], updates: [0]))
    numbers.batchUpdate { _ in }
    #expect(follower.events.count == 2)
  }

  @Test("An observer that subscribes during a batch gets its event")
  func observingDuringBatch() {
    let numbers = ObservableCollection([1])
    var follower: Follower<Int>?
    numbers.batchUpdate { numbers in
      numbers.append(2)
      follower = Follower(numbers)
    }
    #expect(follower?.events == [.init(collection: [1]), .init(collection: [1, 2], inserts: [1])])
  }

  @Test("A set reports the members that were inserted and removed")
  func sets() {
    let tags = ObservableCollection(Set(["a", "b"]))
    var changes: [(Int, Int)] = []
    let disposable = tags.observeNext { changes.append(($0.inserts.count, $0.deletes.count)) }
    #expect(tags.insert("c").inserted)
    #expect(!tags.insert("c").inserted)
    #expect(tags.remove("a") == "a")
    #expect(tags.remove("a") == nil)
    tags.formUnion(["c", "d", "e"])
    tags.batchUpdate { tags in
      tags.insert("x")
      tags.remove("x")
      tags.subtract(["d"])
    }
    #expect(changes.map(\.0) == [0, 1, 0, 2, 0])
    #expect(changes.map(\.1) == [0, 0, 1, 0, 1])
    #expect(tags.collection == ["b", "c", "e"])
    disposable.dispose()
  }

  @Test("A dictionary reports the keys that were inserted, removed and updated")
  func dictionaries() {
    let ages = ObservableCollection(["a": 1])
    var last: ObservableCollectionEvent<[String: Int]>?
    let disposable = ages.observeNext { last = $0 }
    ages["b"] = 2
    #expect(last.map { event in event.inserts.map { event.collection[$0].key } } == ["b"])
    ages["a"] = 3
    #expect(last.map { event in event.updates.map { event.collection[$0].value } } == [3])
    ages["b"] = nil
    #expect(last?.deletes.count == 1)
    ages.batchUpdate { ages in
      ages["c"] = 1
      ages["a"] = 7
    }
    #expect(last?.inserts.count == 1)
    #expect(last.map { event in event.updates.map { event.collection[$0].key } } == ["a"])
    #expect(ages["a"] == 7)
    disposable.dispose()
  }

  @Test("A change made by an observer is sent after the change that caused it")
  func reentrancy() {
    let numbers = ObservableCollection([Int]())
    var seen: [[Int]] = []
    let first = numbers.observeNext { event in
      if event.collection == [1] { numbers.append(2) }
    }
    let second = numbers.observeNext { seen.append($0.collection) }
    numbers.append(1)
    #expect(seen == [[], [1], [1, 2]])
    first.dispose()
    second.dispose()
  }

  @Test("A deallocated collection completes and frees its elements")
  func end() {
    var collection: ObservableCollection<[Canary]>? = ObservableCollection([])
    weak var canary: Canary?
    do {
      let made = Canary()
      canary = made
      collection?.append(made)
    }
    var isCompleted = false
    let disposable = collection?.observeCompleted { isCompleted = true }
    #expect(canary != nil)
    collection = nil
    #expect(isCompleted)
    #expect(canary == nil)
    disposable?.dispose()
  }

  @Test("Changes from several threads arrive once each, in one order")
  func threads() {
    let numbers = ObservableCollection([Int]())
    let follower = Follower(numbers)
    onThreads(4) { thread in
      for number in 0..<200 {
        numbers.append(thread * 1000 + number)
        if number % 3 == 0 { numbers.removeLast() }
      }
    }
    #expect(follower.applied == numbers.collection)
    #expect(follower.events.count == 1 + 4 * (200 + 67))
  }
}
