import TestSupport
import Testing

@testable import HeapGraph
@testable import ReactiveTrace

/// Compares the results of the search for paths with a simple model.
@Suite(
  "Walks over references", .ownThread,
  .enabled(
    if: TestLength.isLong && !isSanitized, "searching the memory of all tests takes minutes"))
struct ReferenceWalkTests {
  private static let walksPerGraph = 20

  @Test(
    "A heap search finds a path between two objects if and only if a model has one",
    arguments: [0, 1, 2, 3])
  func walks(part: UInt64) throws {
    let graphs: UInt64 = TestLength.isLong ? 125 : 13
    for seed in part * graphs..<(part + 1) * graphs {
      let graph = RandomGraph(seed: seed)
      let search = ReferenceGraph(try #require(Heap()))
      var random = FixedNumbers(seed: seed)
      for _ in 0..<Self.walksPerGraph {
        let start = Int.random(in: 0..<graph.count, using: &random)
        let goal = Int.random(in: 0..<graph.count, using: &random)
        compare(graph, search, start, goal, seed)
      }
    }
  }

  @Test(
    "A heap search finds the references of objects of each class",
    arguments: knotClasses.indices)
  func classes(index: Int) throws {
    for count in 0..<6 {
      let made = Tangle(knotClasses[index], count)
      let search = ReferenceGraph(try #require(Heap()))
      for (number, end) in made.ends.enumerated() {
        let path = search.path(from: [made.address], to: [end]) { true }
        let isHeld = made.held.contains(number)
        #expect((path != nil) == isHeld, "\(knotClasses[index]) \(number) of \(count)")
      }
    }
  }

  private func compare(
    _ graph: RandomGraph, _ search: ReferenceGraph, _ start: Int, _ goal: Int, _ seed: UInt64
  ) {
    let expected = graph.way(from: start, to: goal)
    let path = search.path(
      from: [graph.address(start)], to: [graph.address(goal)], isInTime: { true })
    guard let path else {
      if let expected { Issue.record("seed \(seed): no path \(graph.describe(expected))") }
      return
    }
    let found = graph.numbers(of: path)
    #expect(found.first == start && found.last == goal)
    #expect(
      expected != nil && graph.hasEdges(along: found), "seed \(seed): \(graph.describe(found))")
  }
}

/// A knot that holds some other knots, which don't have references.
final class Tangle {
  private let knot: Unmanaged<Knot>
  private let others: [Unmanaged<Knot>]
  let held: Set<Int>

  init(_ type: Knot.Type, _ count: Int) {
    knot = .passRetained(type.init(-1))
    others = (0..<count).map { .passRetained(Knot($0)) }
    held = Set(
      knot.takeUnretainedValue().hold(others.map { $0.takeUnretainedValue() }).map(\.number))
  }

  deinit {
    _ = knot.takeUnretainedValue().hold([])
    knot.release()
    for other in others { other.release() }
  }

  var address: UInt { UInt(bitPattern: knot.toOpaque()) }
  var ends: [UInt] { others.map { UInt(bitPattern: $0.toOpaque()) } }
}
