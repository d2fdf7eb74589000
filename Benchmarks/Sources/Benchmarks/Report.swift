import Foundation

/// All figures of a run, and what they say about the goals.
struct Report {
  let rows: [Row]
  let measurements: [Measurement]
  /// OpenCombine built with `-cross-module-optimization`; empty where that was skipped.
  let optimisedPeer: [Measurement]
  let memory: [MemoryUse]

  private func figure(_ row: Row, _ contestant: Contestant) -> Double? {
    measurements.first { $0.row == row.name && $0.contestant == contestant }?.nanoseconds
  }

  private func allocations(_ row: Row) -> Double? {
    measurements.first { $0.row == row.name && $0.contestant == .ours }?.allocations
  }

  private func optimised(_ row: Row) -> Double? {
    optimisedPeer.first { $0.row == row.name }?.nanoseconds
  }

  /// How much slower this machine is now than the one of the recorded figures, by the median of OpenCombine's rows.
  var scale: Double {
    let ratios = rows.compactMap { row -> Double? in
      guard let measured = figure(row, .openCombine), let recorded = row.peers.openCombine else {
        return nil
      }
      return measured / recorded.byDefault
    }.sorted()
    return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
  }

  /// Why rows that miss a goal do, as far as it is known.
  var shortfalls: [String] {
    let missed = Set(table.dropFirst().filter { $0.last != "met" }.map { $0[0] })
    return Self.reasons.filter { missed.contains($0.row) }.map { "\($0.row): \($0.reason)" }
  }

  private static let reasons: [(row: String, reason: String)] = [
    (
      "combineLatest of 2",
      """
      an event passes two places that order events, the subject and the join, and each takes its turn and gives it back, \
      with one atomic operation each. Those four are nearly all of its time (81 % by a profile); the mutex of the limit \
      takes two.
      """
    ),
    (
      "merge of 8 subjects",
      """
      the same four atomic operations: subject and join. OpenCombine's flatMap holds one lock while it delivers, which \
      would let a subject that is sent to from inside an observer deadlock or overtake here.
      """
    ),
    (
      "4 threads sending to one subject, wall",
      """
      from run to run between 57 and 140 ns on this machine, by which cores the threads get. An event that finds the \
      subject busy costs one contended lock and its place in line; the goal in ns is 115.
      """
    ),
  ]

  /// The lines of the table, as cells.
  var table: [[String]] {
    let scale = scale
    var lines = [
      [
        "work", "closures", "+ mutex", "OpenCombine", "with CMO", "peers", "ours", "allocs",
        "of limit", "best peer", "default peer", "goals",
      ]
    ]
    for row in rows {
      guard let ours = figure(row, .ours) else { continue }
      let closures = figure(row, .closures)
      let mutex = figure(row, .mutex)
      let limit = mutex.map { $0 * 2 } ?? closures.map { $0 * 4 }
      let peerDefault = [figure(row, .openCombine), row.peers.fastestDefault.map { $0 * scale }]
        .compactMap(\.self).min()
      let peerBest = [
        figure(row, .openCombine), optimised(row), row.peers.fastestBest.map { $0 * scale },
      ].compactMap(\.self).min()
      var missed: [String] = []
      if let limit, ours > limit { missed.append("limit") }
      if let peerBest, ours >= peerBest { missed.append("best peer") }
      if let peerDefault, ours * 4 > peerDefault { missed.append("4x default") }
      lines.append([
        row.name, text(closures), text(mutex), text(figure(row, .openCombine)),
        text(optimised(row)),
        text(row.peers.fastestDefault.map { $0 * scale }) + " / "
          + text(row.peers.fastestBest.map { $0 * scale }),
        text(ours), text(allocations(row)), ratio(limit.map { ours / $0 }),
        ratio(peerBest.map { $0 / ours }), ratio(peerDefault.map { $0 / ours }),
        missed.isEmpty ? "met" : "missed: " + missed.joined(separator: ", "),
      ])
    }
    return lines
  }

  var memoryLines: [String] {
    memory.map { use in
      let name =
        switch use.contestant {
        case .closures: "closures and a mutex"
        case .openCombine: "OpenCombine"
        default: "ours"
        }
      return "\(name): \(Int(use.bytes.rounded())) bytes in \(text(use.allocations)) blocks"
    }
  }

  private func text(_ value: Double?) -> String {
    guard let value else { return "-" }
    return value < 10 ? String(format: "%.1f", value) : String(format: "%.0f", value)
  }

  private func ratio(_ value: Double?) -> String {
    value.map { String(format: "%.2fx", $0) } ?? "-"
  }

  static let legend = """
    ns an operation, medians. closures: hand-written; + mutex: the same under one mutex. OpenCombine 0.14.0 as it is built by default,
    and with -cross-module-optimization. peers: the fastest of ReactiveKit 3.x, RxSwift and ReactiveSwift, default / best build, recorded
    on another machine and scaled by what OpenCombine takes here. of limit: ours by 2 x "+ mutex" (4 x closures where that is empty);
    best peer, default peer: how many times as long they take. Goals: within the limit, faster than the best peer, 4 times as fast as
    the fastest default peer. allocs: our allocations an operation.
    """
}

/// Columns of one width.
func aligned(_ lines: [[String]]) -> String {
  let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
  return lines.map { line in
    zip(line, widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: cell.1 - cell.0.count)
      return index == 0 || index == line.count - 1 ? cell.0 + padding : padding + cell.0
    }.joined(separator: "  ")
  }.joined(separator: "\n")
}

func markdown(_ lines: [[String]]) -> String {
  var text = lines.map { "| " + $0.joined(separator: " | ") + " |" }
  text.insert("|" + String(repeating: " --- |", count: lines[0].count), at: 1)
  return text.joined(separator: "\n")
}
