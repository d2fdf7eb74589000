import TestSupport
import Testing

@testable import HeapGraph

/// A random graph of objects with a simple model of its references.
///
/// The graph retains its objects through unmanaged references, so a search only sees the references
/// between them.
final class RandomGraph {
  private let knots: [Unmanaged<Knot>]
  /// The numbers of the knots that each knot holds.
  let edges: [Set<Int>]
  private let numbers: [UInt: Int]

  init(seed: UInt64, classes: [Knot.Type] = knotClasses) {
    var random = FixedNumbers(seed: seed)
    let count = Int.random(in: 2...40, using: &random)
    let made = (0..<count).map { number in
      Unmanaged.passRetained((classes.randomElement(using: &random) ?? Knot.self).init(number))
    }
    // With few references, many knots are unreachable.
    let maxCount = Int.random(in: 1...5, using: &random)
    edges = made.map { knot in
      let others = (0..<Int.random(in: 0...maxCount, using: &random)).map { _ in
        made[Int.random(in: 0..<count, using: &random)].takeUnretainedValue()
      }
      return Set(knot.takeUnretainedValue().hold(others).map(\.number))
    }
    knots = made
    numbers = Dictionary(
      uniqueKeysWithValues: made.enumerated().map { (UInt(bitPattern: $1.toOpaque()), $0) })
  }

  deinit {
    // Breaks the cycles between the knots.
    for knot in knots { _ = knot.takeUnretainedValue().hold([]) }
    for knot in knots { knot.release() }
  }

  var count: Int { knots.count }

  func address(_ number: Int) -> UInt { UInt(bitPattern: knots[number].toOpaque()) }

  /// Returns the number of the knot at an address, or `nil` if the object there isn't a knot.
  func number(_ address: UInt) -> Int? { numbers[address] }

  func className(_ number: Int) -> String {
    String(describing: type(of: knots[number].takeUnretainedValue()))
  }

  /// Returns the numbers of the knots on a shortest path from `start` to `goal`, or `nil` if there
  /// isn't a path. A path has at least one reference.
  func way(from start: Int, to goal: Int) -> [Int]? {
    var ways = [[start]]
    var seen: Set<Int> = []
    while !ways.isEmpty {
      var longer: [[Int]] = []
      for way in ways {
        for next in edges[way[way.count - 1]].sorted() {
          if next == goal { return way + [next] }
          if seen.insert(next).inserted { longer.append(way + [next]) }
        }
      }
      ways = longer
    }
    return nil
  }

  /// Returns the numbers of the knots on a path.
  func numbers(of steps: [PathStep]) -> [Int] {
    var numbers = steps.compactMap { number($0.object.address) }
    if let last = steps.last.flatMap({ number($0.reference.target) }) { numbers.append(last) }
    return numbers
  }

  /// Returns whether each of the knots holds the next one.
  func hasEdges(along numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { edges[$0].contains($1) }
  }

  func describe(_ numbers: [Int]) -> String {
    numbers.map { "\($0) \(className($0))" }.joined(separator: " -> ")
  }
}
