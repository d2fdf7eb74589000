import ProcessMemory
import TestSupport
import Testing

@testable import HeapGraph
@testable import ReactiveTrace

/// Compares the results of the search for holders with a simple model.
@Suite(
  "Searches for holders", .ownThread,
  .disabled(if: isSanitized, "searching the memory of all tests takes minutes"))
struct HolderWalkTests {
  /// A search without an index reads all memory at each level.
  @Test(
    "A heap search finds exactly the holders that a model predicts", arguments: [0, 512 << 20])
  func holders(maxIndexSize: Int) throws {
    for seed in 0..<UInt64(TestLength.isLong ? 12 : 1) {
      let graph = RandomGraph(seed: 1000 + seed)
      let search = ReferenceGraph(try #require(Heap()))
      let index = HolderIndex(search, stackStart: .max, maxIndexSize: maxIndexSize)
      let found = Self.holders(in: graph, index)
      for goal in 0..<graph.count {
        let expected = Set((0..<graph.count).filter { graph.edges[$0].contains(goal) })
        let (extra, missing) = (
          found[goal].subtracting(expected), expected.subtracting(found[goal])
        )
        for number in extra {
          Issue.record("seed \(seed): \(graph.describe([number, goal])) isn't in the model")
        }
        for number in missing {
          Issue.record("seed \(seed): \(graph.describe([number, goal])) was not found")
        }
      }
    }
  }

  /// Returns the numbers of the knots that hold each knot, directly or through other objects.
  private static func holders(in graph: RandomGraph, _ index: HolderIndex) -> [Set<Int>] {
    var found = Array(repeating: Set<Int>(), count: graph.count)
    var wanted = (0..<graph.count).map { Set([graph.address($0)]) }
    var seen = wanted
    // There are never more than five other objects between two knots.
    for _ in 0..<6 {
      let all = wanted.reduce(into: Set()) { $0.formUnion($1) }
      guard !all.isEmpty, index.find(all, isInTime: { true }) else { break }
      for goal in 0..<graph.count {
        var next: Set<UInt> = []
        for holder in wanted[goal].flatMap(index.holders) {
          guard case .object(let object, _) = holder else { continue }
          if let number = graph.number(object.address) {
            found[goal].insert(number)
          } else if seen[goal].insert(object.address).inserted {
            next.insert(object.address)
          }
        }
        wanted[goal] = next
      }
    }
    return found
  }

  @Test("A heap search finds a cycle if and only if a model has one that leads to the object")
  func cycles() throws {
    var count = 0
    for seed in 0..<UInt64(TestLength.isLong ? 15 : 2) {
      let graph = RandomGraph(seed: 2000 + seed)
      count += try cycles(in: graph, seed: seed)
    }
    #expect(count > (TestLength.isLong ? 10 : 1))
  }

  /// Searches for a cycle that leads to each knot, and checks each result. Returns the number of
  /// certain cycles.
  private func cycles(in graph: RandomGraph, seed: UInt64) throws -> Int {
    var count = 0
    let search = ReferenceGraph(try #require(Heap()))
    let index = HolderIndex(search, stackStart: .max)
    let searches = (0..<graph.count).map {
      HolderSearch(search, index, target: graph.address($0))
    }
    while true {
      let wanted = Set(searches.flatMap(\.wanted))
      guard !wanted.isEmpty, index.find(wanted, isInTime: { true }) else { break }
      for search in searches { search.advance() }
    }
    for (number, search) in searches.enumerated() {
      let onCycle = Self.ancestors(of: number, in: graph).contains {
        graph.way(from: $0, to: $0) != nil
      }
      let result = search.result
      let name = "seed \(seed): \(graph.describe([number]))"
      // The memory of other tests can have an old word that is the address of a knot. A search ends
      // at such a root.
      let isOnCycle = result?.cycle ?? 0 > 0
      let endsElsewhere = !isOnCycle && result.map { Self.isRoot($0.root) } == true
      #expect(isOnCycle == onCycle || endsElsewhere, "\(name): \(String(describing: result))")
      // A local variable can hold the object directly.
      guard let result, !result.steps.isEmpty else { continue }
      let steps = graph.numbers(of: result.steps)
      #expect(graph.hasEdges(along: steps), "seed \(seed): \(graph.describe(steps))")
      // Undescribed memory can be part of the path, but it isn't a step.
      guard !result.isProbable else { continue }
      #expect(steps.last == number, "\(name)")
      guard result.cycle > 0 else { continue }
      count += 1
      #expect(
        result.steps[result.cycle - 1].reference.target == result.steps[0].object.address)
    }
    return count
  }

  /// Returns whether a root can be in the memory of another test, and ends a search.
  private static func isRoot(_ root: HolderSearch.Root) -> Bool {
    switch root {
    case .variable, .task, .thread, .waiting: true
    case .stack, .caller, .nothing: false
    }
  }

  @Test(
    "References are found after a search without time, but not after they have changed",
    arguments: [0, 512 << 20])
  func moments(maxIndexSize: Int) throws {
    let inner = Holding(nil)
    let others = (0..<2).map { _ in Holding(inner) }
    let graph = ReferenceGraph(try #require(Heap()))
    let index = HolderIndex(graph, stackStart: .max, maxIndexSize: maxIndexSize)
    func holders(of address: UInt) -> Set<UInt> {
      Set(
        index.holders(of: address).compactMap {
          if case .object(let object, _) = $0 { object.address } else { nil }
        })
    }
    #expect(!index.find([inner.address], isInTime: { false }))
    #expect(holders(of: inner.address).isEmpty)
    // This makes the index, and searches for another object.
    #expect(index.find([others[0].address], isInTime: { true }))
    others[1].held = nil
    graph.heap.memory.forgetPages()
    #expect(index.find([inner.address], isInTime: { true }))
    let found = holders(of: inner.address)
    #expect(found.contains(others[0].address))
    #expect(!found.contains(others[1].address))
    withExtendedLifetime(others) {}
  }

  private struct Kept<Element, Failure: Error> {
    var element: Element?
    var handler: ((Failure) -> Void)?
  }

  private final class Owner {
    let closure: () -> String
    init(_ closure: @escaping () -> String) { self.closure = closure }

    var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  }

  private static func closure<Element, Failure: Error>(
    _ kept: Kept<Element, Failure>, _ held: Holding
  ) -> () -> String {
    { "\(kept) \(held.address) \(Failure.self)" }
  }

  @Test("The captures of a closure are described, also if a generic parameter is Never")
  func never() throws {
    let held = Holding(nil)
    let owners = [
      Owner(Self.closure(Kept<Int, TestError>(), held)),
      Owner(Self.closure(Kept<String, Never>(), held)),
      Owner(Self.closure(Kept<Never, Never>(), held)),
    ]
    let heap = try #require(Heap())
    let graph = ReferenceGraph(heap)
    for owner in owners {
      let object = try #require(heap.object(at: owner.address))
      let context = try #require(graph.references(from: object).first).target
      let references = graph.references(from: try #require(heap.object(at: context)))
      #expect(references.filter { $0.target == held.address }.map(\.isCertain) == [true])
    }
  }

  @Test("The holders of an address outside of the allocator's memory are found, too")
  func uncovered() throws {
    let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
    defer { memory.deallocate() }
    let code = try #require(MemoryMap()?.parts.first { $0.use == .code }).start
    memory.initialize(repeating: 0, count: 64)
    memory[32] = code
    let graph = ReferenceGraph(try #require(Heap()))
    let index = HolderIndex(graph, stackStart: .max)
    #expect(index.find([code], isInTime: { true }))
    let isFound = index.holders(of: code).contains { holder in
      if case .block(let range) = holder {
        range.lowerBound == UInt(bitPattern: memory)
      } else {
        false
      }
    }
    #expect(isFound)
  }

  private final class Holding {
    var held: Holding?
    init(_ held: Holding?) { self.held = held }

    var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  }

  @Test("A search that is stopped reports that time ran out, unless it was over")
  func stop() throws {
    let inner = Holding(nil)
    let outer = Holding(Holding(inner))
    let graph = ReferenceGraph(try #require(Heap()))
    let index = HolderIndex(graph, stackStart: .max)
    func search(levels: Int) -> HolderSearch {
      let search = HolderSearch(graph, index, target: inner.address)
      for _ in 0..<levels where !search.wanted.isEmpty {
        #expect(index.find(Set(search.wanted), isInTime: { true }))
        search.advance()
      }
      search.stop()
      return search
    }
    let cut = search(levels: 1)
    #expect(cut.ranOutOfTime)
    #expect(cut.hasHolder)
    #expect(!search(levels: 100).ranOutOfTime)
    withExtendedLifetime(outer) {}
  }

  /// Returns a knot and all knots from which a path leads to it.
  private static func ancestors(of number: Int, in graph: RandomGraph) -> Set<Int> {
    Set((0..<graph.count).filter { graph.way(from: $0, to: number) != nil }).union([number])
  }
}
