import TestSupport
import Testing

@testable import LeakDetection

@Suite("Shortest cycles")
struct ShortestCyclesTests {
  /// A random graph whose nodes have few classes, so that many cycles are as long and alike.
  private struct Graph {
    let classes: [Int]
    var edges: [[ShortestCycles.Edge]]

    var weights: [Int] { classes.map { $0 == 0 ? 1 : 3 } }

    init(_ random: inout FixedNumbers) {
      let count = Int.random(in: 1...9, using: &random)
      classes = (0..<count).map { _ in Int.random(in: 0...2, using: &random) }
      let maxCount = Int.random(in: 1...4, using: &random)
      edges = classes.map { number in
        (0..<Int.random(in: 0...maxCount, using: &random)).map { field in
          ShortestCycles.Edge(
            target: Int.random(in: 0..<count, using: &random), label: number * 4 + field / 2)
        }
      }
    }

    /// Creates the same graph with other numbers.
    ///
    /// - Parameter places: The new number of each node.
    init(_ graph: Graph, at places: [Int], _ random: inout FixedNumbers) {
      var classes = graph.classes
      var edges = graph.edges
      for (node, place) in places.enumerated() {
        classes[place] = graph.classes[node]
        edges[place] = graph.edges[node].shuffled(using: &random).map {
          ShortestCycles.Edge(target: places[$0.target], label: $0.label)
        }
      }
      self.classes = classes
      self.edges = edges
    }

    func cycle(through start: Int, limit: Int = .max) -> ShortestCycles.Cycle? {
      var search = ShortestCycles(edges, weights: weights)
      return search.cycle(through: start, limit: limit) { _, _ in true }
    }

    /// Returns the best cycle of all that a node is on.
    func bestOfAll(through start: Int) -> ShortestCycles.Cycle? {
      var best: ShortestCycles.Cycle?
      func extend(_ node: Int, _ cycle: ShortestCycles.Cycle, _ visited: Set<Int>) {
        for (index, edge) in edges[node].enumerated() where !visited.contains(edge.target) {
          let longer = ShortestCycles.Cycle(
            steps: cycle.steps + [(node, index)], labels: cycle.labels + [edge.label],
            length: cycle.length + weights[edge.target])
          if edge.target != start {
            extend(edge.target, longer, visited.union([edge.target]))
          } else if best.map(longer.precedes) ?? true {
            best = longer
          }
        }
      }
      extend(start, ShortestCycles.Cycle(), [])
      return best
    }
  }

  @Test("A search finds the first one of the shortest cycles", arguments: 0..<40)
  func oracle(part: UInt64) {
    for seed in part * 50..<(part + 1) * 50 {
      var random = FixedNumbers(seed: seed)
      let graph = Graph(&random)
      for start in graph.edges.indices {
        let found = graph.cycle(through: start)
        let best = graph.bestOfAll(through: start)
        #expect(found?.labels == best?.labels, "seed \(seed), node \(start)")
        #expect(found?.length == best?.length, "seed \(seed), node \(start)")
        guard let found else { continue }
        #expect(found.steps.first?.node == start)
        for (step, next) in zip(found.steps, found.steps.dropFirst() + found.steps.prefix(1)) {
          #expect(graph.edges[step.node][step.edge].target == next.node, "seed \(seed)")
        }
        #expect(graph.cycle(through: start, limit: found.length) != nil)
        #expect(graph.cycle(through: start, limit: found.length - 1) == nil)
      }
    }
  }

  @Test("The order of nodes and edges in memory doesn't matter", arguments: 0..<40)
  func order(part: UInt64) {
    for seed in part * 50..<(part + 1) * 50 {
      var random = FixedNumbers(seed: seed)
      let graph = Graph(&random)
      let places = Array(graph.edges.indices).shuffled(using: &random)
      let other = Graph(graph, at: places, &random)
      for start in graph.edges.indices {
        let found = other.cycle(through: places[start])
        #expect(found?.labels == graph.cycle(through: start)?.labels, "seed \(seed), node \(start)")
      }
    }
  }

  @Test("Without visits, a search finds nothing")
  func visits() {
    var search = ShortestCycles([[.init(target: 0, label: 0)]], weights: [1])
    #expect(search.cycle(through: 0, limit: 1) { _, _ in true } != nil)
    search.visitsLeft = 0
    #expect(search.cycle(through: 0, limit: 1) { _, _ in true } == nil)
  }
}
