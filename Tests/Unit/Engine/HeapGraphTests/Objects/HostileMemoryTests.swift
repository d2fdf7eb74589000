import Foundation
import ReactiveKit
import Synchronization
import TestSupport
import Testing

@testable import HeapGraph
@testable import ProcessMemory
@testable import ReactiveTrace
@testable import SwiftRuntime

/// Searches of memory that looks like something else, and of types with few descriptions.
@Suite(
  "Searches of hostile memory", .ownThread,
  .enabled(
    if: TestLength.isLong && !isSanitized, "searching the memory of all tests takes minutes"))
struct HostileMemoryTests {
  /// Visits everything that is reachable from the objects at `starts`, and returns the visited
  /// addresses.
  @discardableResult
  private func visit(_ starts: [UInt], limit: Int = 20_000) throws -> Set<UInt> {
    let heap = try #require(Heap())
    let objects = SignalObjects(heap)
    let graph = ReferenceGraph(heap, library: objects)
    var seen: Set<UInt> = []
    var queue = starts
    while let address = queue.popLast(), seen.count < limit {
      guard seen.insert(address).inserted, let object = graph.heap.object(at: address) else {
        continue
      }
      use(graph.heap.size(of: object), graph.heap.className(object), objects.role(of: object))
      queue += graph.references(from: object, named: true).map(\.target)
    }
    return seen
  }

  private func address(_ object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Returns whether a search from `start` finds `goal`.
  private func finds(_ goal: AnyObject, from start: AnyObject) throws -> Bool {
    let graph = ReferenceGraph(try #require(Heap()))
    return graph.path(from: [address(start)], to: [address(goal)], isInTime: { true }) != nil
  }

  /// Memory with words that look like objects.
  private final class Fakes {
    private(set) var addresses: [UInt] = []
    private var memory: [UnsafeMutablePointer<UInt>] = []

    deinit {
      for block in memory { block.deallocate() }
    }

    @discardableResult
    func add(_ words: [UInt], isObject: Bool = true) -> UnsafeMutablePointer<UInt> {
      let block = UnsafeMutablePointer<UInt>.allocate(capacity: words.count + 2)
      for (index, word) in words.enumerated() { block[index] = word }
      memory.append(block)
      if isObject { addresses.append(UInt(bitPattern: block)) }
      return block
    }
  }

  private func metadata(_ type: Any.Type) -> UInt { Metadata.address(of: type) }

  @Test("A search of fake objects doesn't read unmapped memory", arguments: knotClasses.indices)
  func fakeObjects(index: Int) throws {
    var random = FixedNumbers(seed: UInt64(index))
    let real = Knot(1)
    let words: [UInt] = [
      0, 1, 8, 0x7FFF_FFFF_FFF8, .max, 1 << 63, address(real), metadata(Knot.self),
      metadata(Int.self), 0xDEAD_BEE0,
    ]
    let fakes = Fakes()
    for _ in 0..<40 {
      let rest = (0..<40).map { _ in words.randomElement(using: &random) ?? 0 }
      fakes.add([metadata(knotClasses[index]), 3] + rest)
    }
    try visit(fakes.addresses)
  }

  @Test("A search of fake collections, boxes and errors doesn't read unmapped memory")
  func fakeCollections() throws {
    var random = FixedNumbers(seed: 5)
    let fakes = Fakes()
    let array = [Knot(1)]
    let dictionary = ["a": Knot(1)]
    let set = Set([KnotKey(salt: 1, knot: array[0])])
    let error: any Error = TangleError.tangled(Unchecked(array[0]))
    for storage in [object(in: array), object(in: dictionary), object(in: set), object(in: error)] {
      let memory = try #require(ProcessMemory())
      let type = try #require(memory.word(storage))
      for _ in 0..<20 {
        let rest = (0..<16).map { _ in
          UInt.random(in: 0...UInt.max >> UInt.random(in: 0...63, using: &random), using: &random)
        }
        fakes.add([type, 3] + rest)
      }
    }
    try visit(fakes.addresses)
    use(array, dictionary, set, error)
  }

  /// Returns the first word of a value.
  private func object<Value>(in value: Value) -> UInt {
    withUnsafeBytes(of: value) { $0.count >= 8 ? $0.loadUnaligned(as: UInt.self) : 0 }
  }

  @Test("A search of objects with fake metadata doesn't read unmapped memory")
  func fakeMetadata() throws {
    let real = metadata(ReferenceKnot.self)
    let memory = try #require(ProcessMemory())
    // Copies of real metadata with one word changed, some of which are their own superclass.
    let words = (0..<40).map { memory.word(real &- 16 &+ UInt($0) * 8) ?? 0 }
    let fakes = Fakes()
    for changed in 0..<40 {
      for value in [0, 1, 0xFFFF_FFFF_FFFF_FFF8, 0x7F00_0000_0000, real, 8] as [UInt] {
        var copy = words
        copy[changed] = value
        for isItsOwnSuperclass in [false, true] {
          let fake = fakes.add(copy, isObject: false)
          let address = UInt(bitPattern: fake) &+ 16
          if isItsOwnSuperclass { fake[3] = address }
          fakes.add([address, 3, 0, 0, 0, 0])
        }
      }
    }
    // Value types in an `Any` container.
    let array: [Any] = [Knot(1)]
    let storage = try #require(memory.word(object(in: array)))
    let witnesses = try #require(memory.word(metadata(Outer.self) &- 8))
    let kinds: [UInt] = [
      0x200, 0x201, 0x202, 0x203, 0x300, 0x301, 0x302, 0x303, 0x306, 0x307, 0x308,
    ]
    for kind in kinds {
      for value in [0, 1, 3, 0x7F00_0000_0000, .max, real, metadata(Outer.self)] as [UInt] {
        let words = [0, witnesses, kind, value, value, value, value]
        let fake = UInt(bitPattern: fakes.add(words, isObject: false)) &+ 16
        fakes.add([storage, 3, 1, 2, real, 0, 0, fake])
      }
    }
    try visit(fakes.addresses)
    use(array)
  }

  @Test("An object that is being freed or was freed isn't found")
  func freed() throws {
    final class Ending {
      let body: (Ending) -> Void
      init(_ body: @escaping (Ending) -> Void) { self.body = body }
      deinit { body(self) }
    }
    var isObject = true
    do {
      let ending = Ending { ending in
        let address = UInt(bitPattern: Unmanaged.passUnretained(ending).toOpaque())
        isObject = Heap().map { $0.object(at: address) != nil } ?? true
      }
      use(ending)
    }
    #expect(!isObject)
    var knot: Knot? = Knot(1)
    unowned(safe) let zombie = knot.unsafelyUnwrapped
    let place = address(zombie)
    knot = nil
    #expect(try #require(Heap()).object(at: place) == nil)
    use(knot)
  }

  @Test("A search of long lists and large arrays ends")
  func large() throws {
    final class Link {
      var next: Link?
    }
    let first = Link()
    var links = [first]
    for _ in 0..<100_000 {
      let link = Link()
      links[links.count - 1].next = link
      links.append(link)
    }
    let graph = ReferenceGraph(try #require(Heap()))
    let last = address(links[100_000])
    #expect(graph.path(from: [address(first)], to: [last], isInTime: { true }) == nil)
    #expect(
      graph.path(from: [address(first)], to: [address(links[40_000])], isInTime: { true })?.count
        == 40_000)
    #expect(try finds(links[20_000], from: ObjectBox(links)))
    let index = HolderIndex(graph, stackStart: .max)
    let middle = address(links[50_000])
    #expect(index.find([middle], isInTime: { true }))
    let holders = index.holders(of: middle).compactMap { holder -> String? in
      guard case .object(let object, _) = holder else { return nil }
      return graph.heap.className(object)
    }
    #expect(Set(holders) == ["Link", "_ContiguousArrayStorage<AnyObject>"])
    for link in links { link.next = nil }
  }

  @Test("A search follows references in types with little reflection metadata")
  func strangeTypes() throws {
    let knot = Knot(7)
    let strange: [(AnyObject, Bool)] = [
      (LockHolder(knot), true), (Buffer.make(knot), true), (RawMemory(knot), false),
      (NSObjectHolder(knot), true), (Library(knot), true), (Self.actor(knot), true),
      (SelfReferring(knot), true), (WithAtomic(knot), true), (WithSpan(knot), true),
      (WithContinuation(knot), true), (_SetStorage(knot), true), (WithUnique(knot), true),
      (WithTaskLocal(knot), true),
      (ObjectBox(AsyncStream<Int> { $0.yield(1) }), false),
    ]
    try visit(strange.map { address($0.0) })
    let graph = ReferenceGraph(try #require(Heap()))
    for (object, holds) in strange {
      let path = graph.path(from: [address(object)], to: [address(knot)], isInTime: { true })
      #expect((path != nil) == holds, "\(type(of: object))")
    }
  }

  @Test("A search of objects of Foundation and Dispatch doesn't crash")
  func systemObjects() throws {
    let knot = Knot(7)
    let queue = DispatchQueue(label: "queue")
    let source = DispatchSource.makeTimerSource(queue: queue)
    let inSource = Unchecked(knot)
    source.setEventHandler { use(inSource) }
    source.activate()
    let center = NotificationCenter()
    let shared = Unchecked(knot)
    let token = center.addObserver(forName: nil, object: nil, queue: nil) { _ in use(shared) }
    let objects: [AnyObject] = [
      queue, ObjectBox(source), center, token as AnyObject, NSMutableArray(array: [1, 2]),
      NSString("text"),
      ObjectBox(Data(repeating: 1, count: 100)), ObjectBox(Date()), ObjectBox(URL(filePath: "/")),
      ObjectBox(AttributedString("text")), ObjectBox(JSONDecoder()), Thread.current, RunLoop.main,
      ProcessInfo.processInfo, NSError(domain: "a", code: 1), OperationQueue(),
      ObjectBox(try Regex("a+")), ObjectBox(Locale.current), ObjectBox(\Knot.number as AnyKeyPath),
      ObjectBox(Calendar.current), ObjectBox(IndexSet([1])), ObjectBox(Decimal(1)),
      ObjectBox(Mirror(reflecting: knot)), ObjectBox((1...3).lazy.map { ($0, knot) }),
      ObjectBox(AnyIterator([knot].makeIterator())), ObjectBox(AnySequence([knot])),
      ObjectBox("a text of more than fifteen bytes"[...]), ObjectBox(AnyHashable([1])),
    ]
    try visit(objects.map(address))
    source.cancel()
    center.removeObserver(token)
  }

  private static func actor(_ knot: Knot) -> AnyObject { Shed(Unchecked(knot), Unchecked(knot)) }

  @Test("A search of the test process's own memory doesn't crash")
  func wholeProgram() throws {
    let heap = try #require(Heap())
    let graph = ReferenceGraph(heap)
    var random = FixedNumbers(seed: 1)
    var count = 0
    for part in heap.map.parts where part.use == .heap || part.use == .variables {
      var address = part.start
      while address < part.end, count < (TestLength.isLong ? 1_000_000 : 20_000) {
        if let object = heap.object(at: address) {
          count += 1
          use(heap.size(of: object), graph.references(from: object))
        }
        address += 16 * UInt.random(in: 1...(TestLength.isLong ? 2 : 20), using: &random)
      }
    }
    #expect(count > 100)
  }
}

private final class ObjectBox<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

private final class LockHolder {
  let lock = Locked<[Knot]>([])
  init(_ knot: Knot) {
    let knot = Unchecked(knot)
    lock.withLock { $0 = [knot.value] }
  }
}

private final class Buffer: ManagedBuffer<Knot, Int> {
  static func make(_ knot: Knot) -> AnyObject { Buffer.create(minimumCapacity: 4) { _ in knot } }
}

private final class RawMemory {
  let memory = UnsafeMutablePointer<Knot>.allocate(capacity: 1)
  init(_ knot: Knot) { memory.initialize(to: knot) }
  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}

private final class NSObjectHolder: NSObject {
  let knot: Knot
  init(_ knot: Knot) { self.knot = knot }
}

private final class Library: JSONDecoder, @unchecked Sendable {
  let knot: Knot
  init(_ knot: Knot) { self.knot = knot }
}

private final class SelfReferring {
  struct Value {
    var children: [Value] = []
    var parent: SelfReferring?
    var table: [String: [Value]] = [:]
    var knot: Knot?
  }
  indirect enum Tree {
    case leaf
    case node(Tree, Value, (Tree) -> Tree)
  }
  var value = Value()
  var tree = Tree.leaf
  unowned(unsafe) var me: SelfReferring?
  init(_ knot: Knot) {
    tree = .node(.leaf, Value(children: [Value(knot: knot)]), { $0 })
    me = self
    value.children = [Value()]
  }
}

private final class WithAtomic {
  let count = Atomic(1)
  let knot: Knot
  init(_ knot: Knot) { self.knot = knot }
}

private final class WithSpan {
  let bytes: UnsafeRawBufferPointer
  let count: UnsafeMutableBufferPointer<Int>
  let knot: [Knot]
  init(_ knot: Knot) {
    bytes = .init(start: nil, count: 0)
    count = .allocate(capacity: 1)
    self.knot = [knot]
  }
  deinit { count.deallocate() }
}

private final class WithContinuation {
  var continuation: CheckedContinuation<Knot, Never>?
  var stream: AsyncStream<Knot>.Continuation?
  let knot: Knot
  init(_ knot: Knot) { self.knot = knot }
}

/// A class with the same name as a class of the standard library.
private final class _SetStorage {
  let knot: Knot
  init(_ knot: Knot) { self.knot = knot }
}

private struct Unique: ~Copyable {
  let number = 1
  let knot: Knot
}

private final class WithUnique {
  let unique: Unique
  init(_ knot: Knot) { unique = Unique(knot: knot) }
}

private final class WithTaskLocal {
  @TaskLocal static var level = 0
  let local = WithTaskLocal.$level
  let knot: Knot
  init(_ knot: Knot) { self.knot = knot }
}
