import TraceFormat

/// The lanes of two logs, with those that are the same lane next to each other.
///
/// Lanes with one name and one place are the same. Lines move when code is edited, and files are
/// renamed. So the lanes that remain are matched if they have the same name, file and function,
/// then if they have the same name and file, in the order of their lines. A name that then remains
/// once in each log is also one lane.
struct LaneAlignment {
  struct Pair {
    var old: PlacedLane?
    var new: PlacedLane?
  }

  /// The lanes in the order of the new log. Those that only the old log has come last.
  let pairs: [Pair]

  init(_ old: [PlacedLane], _ new: [PlacedLane]) {
    // The old counterpart of each new lane.
    var partners = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)
    let byName = Dictionary(grouping: old.indices) { old[$0].name }
    for (name, candidates) in Dictionary(grouping: new.indices, by: { new[$0].name }) {
      let others = byName[name] ?? []
      func match(_ key: (Site) -> Key?) {
        let before = Dictionary(grouping: others.filter { !isTaken[$0] }) { key(old[$0].site) }
        let after = Dictionary(grouping: candidates.filter { partners[$0] == nil }) {
          key(new[$0].site)
        }
        for (key, indices) in after {
          guard let key, let counterparts = before[key] else { continue }
          let line = { (lane: PlacedLane) in lane.site.line ?? 0 }
          let pairs = zip(
            counterparts.sorted { (line(old[$0]), $0) < (line(old[$1]), $1) },
            indices.sorted { (line(new[$0]), $0) < (line(new[$1]), $1) })
          for (first, second) in pairs {
            partners[second] = first
            isTaken[first] = true
          }
        }
      }
      guard !others.isEmpty else { continue }
      match { .place($0.source) }
      match { site in site.file.map { .function($0, site.function) } }
      match { site in site.file.map { .file($0) } }
      let rest = (
        old: others.filter { !isTaken[$0] }, new: candidates.filter { partners[$0] == nil }
      )
      if rest.old.count == 1, rest.new.count == 1 { match { _ in .name } }
    }
    pairs =
      new.indices.map { index in
        Pair(old: partners[index].map { old[$0] }, new: new[index])
      } + old.indices.filter { !isTaken[$0] }.map { Pair(old: old[$0]) }
  }

  /// The property that two lanes of one name share.
  private enum Key: Hashable {
    case place(String?)
    case function(String, String?)
    case file(String)
    case name
  }
}
