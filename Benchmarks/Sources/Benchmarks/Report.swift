import Foundation

/// All figures of a run, or the medians of several, compared with the goals.
struct Report {
  let rows: [Row]
  let figures: Figures
  /// Whether the table has a column for each library. Otherwise it has those that were measured.
  let comparesAll: Bool

  private func figure(_ row: Row, _ contestant: Contestant, _ build: Measurement.Build? = nil)
    -> Double?
  {
    median(
      figures.measurements.filter {
        $0.row == row.name && $0.contestant == contestant && $0.build == build
      }.map(\.nanoseconds))
  }

  private func allocations(_ row: Row) -> Double? {
    median(
      figures.measurements.filter { $0.row == row.name && $0.contestant == .ours }
        .compactMap(\.allocations))
  }

  /// The library that needs the least time, in its default build or in the faster of its builds.
  private func fastest(_ row: Row, inBestBuild: Bool) -> (peer: Contestant, nanoseconds: Double)? {
    Contestant.peers.compactMap { peer in
      [figure(row, peer), inBestBuild ? figure(row, peer, .best) : nil].compactMap(\.self).min()
        .map { (peer, $0) }
    }.min { $0.1 < $1.1 }
  }

  private var peers: [Contestant] {
    Contestant.peers.filter { peer in
      comparesAll || figures.measurements.contains { $0.contestant == peer }
    }
  }

  /// Names the libraries and their versions, and the number of runs.
  var comparison: String {
    var runs = 0
    for row in rows {
      runs = max(
        runs,
        figures.measurements.filter { $0.row == row.name && $0.contestant == .ours }.count)
    }
    let versions = peers.compactMap { peer in
      figures.versions.last { $0.contestant == peer }.map { "\(peer.name) \($0.version)" }
    }
    return "Medians of \(runs) \(runs == 1 ? "round" : "rounds")."
      + (versions.isEmpty ? "" : " Versions: " + versions.joined(separator: ", ") + ".")
  }

  /// The known reasons why rows miss goals.
  var shortfalls: [String] {
    let missed = Set(table.dropFirst().filter { $0.last != "met" }.map { $0[0] })
    return Self.reasons.filter { missed.contains($0.row.rawValue) }
      .map { "\($0.row.rawValue): \($0.reason)" }
  }

  private static let reasons: [(row: RowName, reason: String)] = [
    (
      .combineLatest,
      """
      An event passes two places that order events: the subject and the join. Each takes the turn \
      and gives it back, with one atomic operation each. These four operations take three quarters \
      of the time (21 of 28 ns). The mutex of the limit needs only two.
      """
    ),
    (
      .merge,
      """
      An event needs four atomic operations, in the subject and the join, and two more count the \
      reference to the subject that the benchmark takes from its array. These six take 31 of \
      37 ns. OpenCombine's flatMap holds one lock while it delivers. Here, an observer may send to \
      a subject, and with such a lock that could deadlock or reorder events.
      """
    ),
    (
      .racing,
      """
      From run to run, the time varies between 57 and 140 ns, depending on the cores that the \
      threads get. An event that finds the subject busy costs one contended lock and its place in \
      line.
      """
    ),
  ]

  /// The lines of the table, as cells.
  var table: [[String]] {
    var lines = [
      ["work", "closures", "+ mutex"] + peers.map(\.name)
        + ["ours", "allocs", "of limit", "best peer", "default peer", "goals"]
    ]
    for row in rows {
      guard let ours = figure(row, .ours) else { continue }
      let closures = figure(row, .closures)
      let mutex = figure(row, .mutex)
      let limit = mutex.map { $0 * 2 } ?? closures.map { $0 * 4 }
      let byDefault = fastest(row, inBestBuild: false)
      let best = fastest(row, inBestBuild: true)
      var missed: [String] = []
      if let limit, ours > limit { missed.append("limit") }
      if let best, ours >= best.nanoseconds { missed.append("best peer") }
      if let byDefault, ours * 4 > byDefault.nanoseconds { missed.append("4x default") }
      lines.append(
        [row.name.rawValue, text(closures), text(mutex)]
          + peers.map { text(figure(row, $0), best: figure(row, $0, .best)) }
          + [
            text(ours), text(allocations(row)), ratio(limit.map { ours / $0 }),
            ratio(best, to: ours), ratio(byDefault, to: ours),
            missed.isEmpty ? "met" : "missed: " + missed.joined(separator: ", "),
          ])
    }
    return lines
  }

  var memoryLines: [String] {
    Contestant.allCases.compactMap { contestant in
      guard let use = figures.memory.last(where: { $0.contestant == contestant }) else {
        return nil
      }
      let name = contestant == .closures ? "closures and a mutex" : contestant.name
      return "\(name): \(Int(use.bytes.rounded())) bytes in \(text(use.blocks)) blocks"
    }
  }

  /// Returns a cell with the time of the default build, and with that of the best build if it was
  /// measured. It is empty if neither was.
  private func text(_ byDefault: Double?, best: Double?) -> String {
    if byDefault == nil && best == nil { return "" }
    return best == nil ? text(byDefault) : text(byDefault) + " / " + text(best)
  }

  private func ratio(_ fastest: (peer: Contestant, nanoseconds: Double)?, to ours: Double)
    -> String
  {
    fastest.map { "\(ratio($0.nanoseconds / ours)) \($0.peer.name)" } ?? "-"
  }

  private func text(_ value: Double?) -> String {
    guard let value else { return "-" }
    return value < 10 ? String(format: "%.1f", value) : String(format: "%.0f", value)
  }

  private func ratio(_ value: Double?) -> String {
    value.map { String(format: "%.2fx", $0) } ?? "-"
  }

  static let legend = """
    Figures are nanoseconds for each operation, as medians. Those of a library are about its default
    build and its best build. A row meets its goals if it is within the limit, faster than the best
    peer, and at least 4 times as fast as the fastest default peer.
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
