extension Retention {
  /// A part of a path, for a view with room for only some of the steps.
  package enum Excerpt: Sendable, Equatable {
    case step(Int)
    /// The indices of omitted steps.
    case omitted(Range<Int>)
  }

  /// Returns the steps to show: those at both ends, the end of a cycle, and the step to break with
  /// its neighbors. Of more than two equal steps in a row, only the first is shown, and the other
  /// steps that must be.
  ///
  /// - Parameter max: The maximum number of steps that are shown without omissions, at least 12.
  ///   The excerpt has at most this number of parts.
  package func excerpt(max: Int) -> [Excerpt] {
    let isRepeated = repeatedSteps
    guard steps.count > max || isRepeated.contains(true) else {
      return steps.indices.map { .step($0) }
    }
    // Seven parts aren't at the ends: three steps at the break, the end of the cycle, three gaps.
    let ends = Swift.max(0, max - 7)
    let cycleEnd = isCycle ? steps.count - tail - 1 : 0
    var shown: [Excerpt] = []
    var next = 0
    for index in steps.indices {
      let isNearBreak = breakIndex.map { abs(index - $0) <= 1 } ?? false
      let isAtEnd = index < ends - ends / 2 || index >= steps.count - ends / 2
      let isWanted = (isAtEnd || isNearBreak || steps.count <= max) && !isRepeated[index]
      guard isWanted || index == breakIndex || index == cycleEnd else { continue }
      if index > next { shown.append(.omitted(next..<index)) }
      shown.append(.step(index))
      next = index + 1
    }
    if next < steps.count { shown.append(.omitted(next..<steps.count)) }
    return shown
  }

  /// Whether each step is the second or a later one of at least three equal steps in a row.
  private var repeatedSteps: [Bool] {
    var isRepeated = [Bool](repeating: false, count: steps.count)
    for index in steps.indices.dropFirst(2)
    where steps[index] == steps[index - 1] && steps[index - 1] == steps[index - 2] {
      isRepeated[index] = true
      isRepeated[index - 1] = true
    }
    return isRepeated
  }

  /// Returns the same path with at most `max` steps, including placeholders for the omitted steps.
  package func shortened(max: Int) -> Retention {
    guard steps.count > max || repeatedSteps.contains(true) else { return self }
    let firstOfTail = steps.count - tail
    var short = self
    (short.steps, short.tail, short.breakIndex) = ([], 0, nil)
    for part in excerpt(max: max) {
      switch part {
      case .step(let index):
        if index == breakIndex { short.breakIndex = short.steps.count }
        if index >= firstOfTail { short.tail += 1 }
        short.steps.append(steps[index])
      case .omitted(let range):
        // The end of a cycle is always shown, so all of these are on one side of it.
        if range.lowerBound >= firstOfTail { short.tail += 1 }
        short.steps.append(Step(.omitted(range.count)))
      }
    }
    return short
  }
}
