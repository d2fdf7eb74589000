import Dispatch
import HeapCounter

struct Measurement: Codable {
  let row: RowName
  let contestant: Contestant
  /// The build of the contestant, or nil for the default build.
  var build: Build?
  /// The median time of an operation.
  let nanoseconds: Double
  /// The number of allocations per operation, or nil if they can't be counted.
  var allocations: Double?
  /// What the observers added after some repetitions, which is equal if the work is the same.
  let sum: Int

  /// How a library was built, other than by default.
  enum Build: String, Codable {
    case best
  }

  enum CodingKeys: String, CodingKey {
    case row, contestant, build, allocations, sum
    case nanoseconds = "ns"
  }
}

/// Measures the contestants of a row in turns, sample by sample, so that noise affects all alike.
func measure(_ row: RowName, _ contestants: [(Contestant, () -> Work)], samples: Int)
  -> [Measurement]
{
  struct Lane {
    let contestant: Contestant
    let work: Work
    let count: Int
    let allocations: Double?
    let sum: Int
    var samples: [Double] = []
  }
  var lanes: [Lane] = []
  for (contestant, make) in contestants {
    let work = make()
    work(row.checkedRepetitions)
    let sum = Sum.last?.value.pointee ?? 0
    let count = calibrate(work)
    let repetitions = min(100, count)
    heap_counting(1)
    let before = heap_allocations()
    work(repetitions)
    let allocations =
      Double(heap_allocations() - before) / Double(repetitions) / row.operationsPerCall
    heap_counting(0)
    lanes.append(
      Lane(
        contestant: contestant, work: work, count: count,
        allocations: heap_allocations() < 0 ? nil : allocations, sum: sum))
  }
  for _ in 0..<samples {
    for index in lanes.indices {
      let start = DispatchTime.now().uptimeNanoseconds
      lanes[index].work(lanes[index].count)
      let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start)
      lanes[index].samples.append(elapsed / Double(lanes[index].count) / row.operationsPerCall)
    }
  }
  return lanes.map { lane in
    Measurement(
      row: row, contestant: lane.contestant, nanoseconds: median(lane.samples) ?? 0,
      allocations: lane.allocations, sum: lane.sum)
  }
}

/// Returns the middle number, or the mean of the two in the middle. Returns nil without numbers.
func median(_ numbers: [Double]) -> Double? {
  guard !numbers.isEmpty else { return nil }
  let sorted = numbers.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Returns the number of repetitions for a sample of about 20 ms. This also warms up the work.
private func calibrate(_ work: Work) -> Int {
  func seconds(_ count: Int) -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    work(count)
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
  }
  var count = 1
  while true {
    // Other load can make some repetitions long, so the shortest of several counts.
    var elapsed = seconds(count)
    for _ in 0..<3 where elapsed > 0.005 && elapsed < 0.5 {
      elapsed = min(elapsed, seconds(count))
    }
    if elapsed > 0.005 { return max(1, Int(Double(count) * 0.02 / elapsed)) }
    count *= 2
  }
}
