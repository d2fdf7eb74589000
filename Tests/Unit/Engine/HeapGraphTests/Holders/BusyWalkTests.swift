import Synchronization
import TestSupport
import Testing

@testable import HeapGraph
@testable import ReactiveTrace
@testable import SystemLibrary

/// Searches of memory that other threads change.
@Suite(
  "Searches of a busy program", .ownThread,
  .enabled(
    if: TestLength.isLong || isSanitized, "searching the memory of all tests takes minutes"))
struct BusyWalkTests {
  private static let searches = isSanitized ? 5 : TestLength.isLong ? 1000 : 50
  @Test(
    "Heap searches finish without crashing while other threads allocate, change and free objects")
  func objects() throws {
    let isOver = Atomic(false)
    let kept = RandomGraph(seed: 1)
    onThreads(4) { number in
      var random = FixedNumbers(seed: UInt64(number))
      var dictionary: [Int: [Knot]] = [:]
      var state = BusyState.idle
      var round = 0
      while !isOver.load(ordering: .acquiring) {
        if number == 0 {
          round += 1
          Self.search(kept)
          if round == Self.searches { isOver.store(true, ordering: .releasing) }
          continue
        }
        let graph = RandomGraph(seed: .random(in: 0...999, using: &random))
        let key = Int.random(in: 0...20, using: &random)
        switch key % 4 {
        case 0: dictionary[key] = (0..<key).map { Knot($0) }
        case 1: state = .busy(Knot(key), { _ in use(graph) })
        case 2: state = .several([Knot(1), ArrayKnot(2)])
        default:
          state = .idle
          dictionary.removeAll()
        }
        use(dictionary, state)
      }
    }
  }

  private static func search(_ graph: RandomGraph) {
    guard let heap = Heap() else { return }
    let deadline = LogClock.monotonic() + (isSanitized ? 1_000_000_000 : 50_000_000)
    let search = ReferenceGraph(heap)
    let index = HolderIndex(search, stackStart: .max)
    let isInTime = { LogClock.monotonic() < deadline }
    let searches = (0..<graph.count).map { HolderSearch(search, index, target: graph.address($0)) }
    while isInTime() {
      let wanted = Set(searches.flatMap(\.wanted))
      guard !wanted.isEmpty, index.find(wanted, isInTime: isInTime) else { break }
      for search in searches { search.advance() }
    }
    for number in 0..<graph.count {
      let start = graph.address(number)
      let path = search.path(from: [start], to: [start], isInTime: { true })
      #expect((path != nil) == (graph.way(from: number, to: number) != nil))
    }
  }
}

private enum BusyState {
  case idle
  case busy(Knot, (Int) -> Void)
  case several([Knot])
}
