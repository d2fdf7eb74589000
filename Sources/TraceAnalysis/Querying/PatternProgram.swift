import TraceFormat

/// A program that finds a pattern in a text in one pass, however the pattern was written. It
/// follows all possible matches at once (Thompson, 1968), and never tries one after another.
struct PatternProgram: Sendable {
  private enum Step: Sendable {
    case take(PatternCharacters)
    case start, end
    case jump(Int)
    case both(Int, Int)
    case found
  }

  /// The maximum number of steps. Repetitions of repetitions may ask for any number.
  private static let mostSteps = 4000

  private var steps: [Step] = []

  /// Compiles a pattern; nil if the pattern is too long when its repetitions are written out.
  init?(_ node: PatternNode) {
    guard add(node) else { return nil }
    steps.append(.found)
  }

  private mutating func add(_ node: PatternNode) -> Bool {
    guard steps.count < PatternProgram.mostSteps else { return false }
    switch node {
    case .one(let characters): steps.append(.take(characters))
    case .start: steps.append(.start)
    case .end: steps.append(.end)
    case .sequence(let all):
      for node in all where !add(node) { return false }
    case .either(let all):
      return add(all[...])
    case .repeated(let node, let least, let most):
      return add(node, least, most)
    }
    return true
  }

  private mutating func add(_ all: ArraySlice<PatternNode>) -> Bool {
    guard let first = all.first else { return true }
    guard all.count > 1 else { return add(first) }
    let fork = reserve()
    guard add(first) else { return false }
    let exit = reserve()
    steps[fork] = .both(fork + 1, steps.count)
    guard add(all.dropFirst()) else { return false }
    steps[exit] = .jump(steps.count)
    return true
  }

  private mutating func add(_ node: PatternNode, _ least: Int, _ most: Int?) -> Bool {
    for _ in 0..<least where !add(node) { return false }
    guard let most else {
      let fork = reserve()
      guard add(node) else { return false }
      steps.append(.jump(fork))
      steps[fork] = .both(fork + 1, steps.count)
      return true
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(reserve())
      guard add(node) else { return false }
    }
    for fork in forks { steps[fork] = .both(fork + 1, steps.count) }
    return true
  }

  private mutating func reserve() -> Int {
    steps.append(.found)
    return steps.count - 1
  }

  func matches(_ text: String) -> Bool {
    var (now, next) = (Ways(count: steps.count), Ways(count: steps.count))
    var index = text.startIndex
    while true {
      let isLast = index == text.endIndex
      if follow(0, &now, isFirst: index == text.startIndex, isLast: isLast) { return true }
      guard !isLast else { return false }
      let character = text[index]
      text.formIndex(after: &index)
      let ascii = character.utf8.count == 1 ? character.asciiValue : nil
      let isFollowedByEnd = index == text.endIndex
      next.removeAll()
      for step in now.waiting {
        guard case .take(let characters) = steps[step],
          characters.contains(character, ascii: ascii)
        else { continue }
        if follow(step + 1, &next, isFirst: false, isLast: isFollowedByEnd) { return true }
      }
      swap(&now, &next)
    }
  }

  /// Goes as far as possible without a character, and returns true if that is the end of the
  /// pattern.
  private func follow(_ step: Int, _ ways: inout Ways, isFirst: Bool, isLast: Bool) -> Bool {
    ways.open.append(step)
    while let step = ways.open.popLast() {
      guard ways.enter(step) else { continue }
      switch steps[step] {
      case .take: ways.waiting.append(step)
      case .start: if isFirst { ways.open.append(step + 1) }
      case .end: if isLast { ways.open.append(step + 1) }
      case .jump(let target): ways.open.append(target)
      case .both(let first, let second):
        ways.open.append(second)
        ways.open.append(first)
      case .found:
        ways.open.removeAll()
        return true
      }
    }
    return false
  }

  /// The steps that were reached with the same character.
  private struct Ways {
    /// The steps that take the next character.
    var waiting: [Int] = []
    /// The steps that are still to be followed.
    var open: [Int] = []
    private var rounds: [Int]
    private var round = 1

    init(count: Int) {
      rounds = Array(repeating: 0, count: count)
    }

    mutating func enter(_ step: Int) -> Bool {
      guard rounds[step] != round else { return false }
      rounds[step] = round
      return true
    }

    mutating func removeAll() {
      round += 1
      waiting.removeAll(keepingCapacity: true)
    }
  }
}
