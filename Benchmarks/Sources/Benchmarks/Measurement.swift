import Dispatch
import HeapCounter

struct Measurement {
  let row: String
  let contestant: Contestant
  /// The median time of an operation.
  let nanoseconds: Double
  /// The number of allocations per operation, or nil if they can't be counted.
  let allocations: Double?
}

/// Measures the contestants of a row in turns, sample by sample, so that noise affects all alike.
func measure(_ row: Row, _ options: Options) -> [Measurement] {
  struct Lane {
    let contestant: Contestant
    let work: Work
    let count: Int
    let allocations: Double?
    var samples: [Double] = []
  }
  var lanes: [Lane] = []
  for contestant in Contestant.allCases where options.contestants.contains(contestant) {
    guard let work = row.contestants[contestant]?() else { continue }
    let count = calibrate(work)
    heap_counting(1)
    let before = heap_allocations()
    work(100)
    let allocations = Double(heap_allocations() - before) / 100 / row.operationsPerCall
    heap_counting(0)
    lanes.append(
      Lane(
        contestant: contestant, work: work, count: count,
        allocations: heap_allocations() < 0 ? nil : allocations))
  }
  for _ in 0..<options.samples {
    for index in lanes.indices {
      let start = DispatchTime.now().uptimeNanoseconds
      lanes[index].work(lanes[index].count)
      let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start)
      lanes[index].samples.append(elapsed / Double(lanes[index].count) / row.operationsPerCall)
    }
  }
  return lanes.map { lane in
    Measurement(
      row: row.name, contestant: lane.contestant,
      nanoseconds: lane.samples.sorted()[lane.samples.count / 2], allocations: lane.allocations)
  }
}

/// Returns the number of repetitions for a sample of about 20 ms. This also warms up the work.
private func calibrate(_ work: Work) -> Int {
  var count = 1
  while true {
    let start = DispatchTime.now().uptimeNanoseconds
    work(count)
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start)
    if elapsed > 5_000_000 { return max(1, Int(Double(count) * 20_000_000 / elapsed)) }
    count *= 2
  }
}
