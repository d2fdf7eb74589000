extension LogFollower {
  /// The number of bytes to check in one turn, in gaps that no thread fills any more.
  private static let budget = 1 << 20

  /// Checks whether threads have filled the space they reserved, and returns whether it found
  /// anything.
  ///
  /// - Parameter all: True to check also where no thread writes any more.
  func lookAtGaps(all: Bool) throws(LogError) -> Bool {
    guard !whole.gaps.gaps.isEmpty else { return false }
    var gaps: [LogGap] = []
    swap(&gaps, &whole.gaps.gaps)
    var kept: [LogGap] = []
    kept.reserveCapacity(gaps.count)
    var reader = GapReader()
    var budget = Self.budget
    var next = 0
    var shift = (file: -1, lines: 0)
    for (index, var gap) in gaps.enumerated() {
      if gap.file == shift.file { gap.line += shift.lines }
      let isRecent =
        gap.file == files.count - 1 && gap.range.upperBound + Self.window > whole.gaps.end
      let isDue = index >= rotation && budget > 0
      guard all || isRecent || isDue else {
        kept.append(gap)
        continue
      }
      if !isRecent { budget -= gap.range.count + 1024 }
      let lines = try reader.look(
        at: gap, in: files[gap.file], isFinal: gap.looks >= LogGap.patience, &whole, &kept)
      // The next turn begins after this gap, so that a large gap does not take every turn.
      if !isRecent { next = kept.count }
      guard lines != 0 else { continue }
      shift = (gap.file, lines + (shift.file == gap.file ? shift.lines : 0))
      whole.moveLines(of: gap.file, behind: gap.range.upperBound, by: lines)
    }
    rotation = budget > 0 ? 0 : next
    whole.gaps.gaps = kept
    if reader.found > 0 { whole.settle() }
    return reader.found > 0
  }
}
