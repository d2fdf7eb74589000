import Foundation

/// All figures of a run, compared with the goals.
struct Report {
  let rows: [Row]
  let measurements: [Measurement]
  /// OpenCombine built with `-cross-module-optimization`. Empty if that was skipped.
  let optimizedPeer: [Measurement]
  let memory: [MemoryUse]

  private func figure(_ row: Row, _ contestant: Contestant) -> Double? {
    measurements.first { $0.row == row.name && $0.contestant == contestant }?.nanoseconds
  }

  private func allocations(_ row: Row) -> Double? {
    measurements.first { $0.row == row.name && $0.contestant == .ours }?.allocations
  }

  private func optimized(_ row: Row) -> Double? {
    optimizedPeer.first { $0.row == row.name }?.nanoseconds
  }

  /// The factor by which this machine is slower than the one of the recorded figures: the median
  /// over the rows of OpenCombine.
  var scale: Double {
    let ratios = rows.compactMap { row -> Double? in
      guard let measured = figure(row, .openCombine), let recorded = row.peers.openCombine else {
        return nil
      }
      return measured / recorded.byDefault
    }.sorted()
    return ratios.isEmpty ? 1 : ratios[ratios.count / 2]
  }

  var scaleLine: String {
    "The recorded figures of the peers are scaled by \(String(format: "%.2f", scale))."
  }

  /// The known reasons why rows miss goals.
  var shortfalls: [String] {
    let missed = Set(table.dropFirst().filter { $0.last != "met" }.map { $0[0] })
    return Self.reasons.filter { missed.contains($0.row) }.map { "\($0.row): \($0.reason)" }
  }

  private static let reasons: [(row: String, reason: String)] = [
    (
      "combineLatest of 2",
      """
      An event passes two places that order events: the subject and the join. Each takes the turn \
      and gives it back, with one atomic operation each. These four operations take three quarters \
      of the time (21 of 28 ns). The mutex of the limit needs only two.
      """
    ),
    (
      "merge of 8 subjects",
      """
      An event needs four atomic operations, in the subject and the join, and two more count the \
      reference to the subject that the benchmark takes from its array. These six take 31 of \
      37 ns. OpenCombine's flatMap holds one lock while it delivers. Here, an observer may send to \
      a subject, and with such a lock that could deadlock or reorder events.
      """
    ),
    (
      "4 threads sending to one subject, wall",
      """
      From run to run, the time varies between 57 and 140 ns, depending on the cores that the \
      threads get. An event that finds the subject busy costs one contended lock and its place in \
      line.
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
        figure(row, .openCombine), optimized(row), row.peers.fastestBest.map { $0 * scale },
      ].compactMap(\.self).min()
      var missed: [String] = []
      if let limit, ours > limit { missed.append("limit") }
      if let peerBest, ours >= peerBest { missed.append("best peer") }
      if let peerDefault, ours * 4 > peerDefault { missed.append("4x default") }
      lines.append([
        row.name, text(closures), text(mutex), text(figure(row, .openCombine)),
        text(optimized(row)),
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
    Figures are nanoseconds for each operation, as medians. A row meets its goals if it is within
    the limit, faster than the best peer, and at least 4 times as fast as the fastest default peer.
    [README.md](README.md#how-to-read-it) explains the columns.
    """
}

/// Returns the table as text, with columns of equal width.
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
