import SystemLibrary
import TraceFormat

// This engine exists in addition to `Regex`, because a search must finish in a reasonable time.
// `Regex` tries one alternative after the other, so the time for a value can double with each of
// its characters. With `(a+)+b`, it took 19.5 seconds for each value of 18 letters `a`; this engine
// takes 7 microseconds. Values have up to 256 bytes, and a log has millions. `Regex` is not
// Sendable either, so each thread has to compile its own.
//
// Measured in one run on one core (release build, Swift 6.3, 1,000 values of 20 to 220 bytes),
// microseconds for each value:
//
//     pattern               here   Regex
//     (a+)+b                   7   19,500,000  (18 letters a, no match)
//     (a|b)*c                 23   3,576       (40 to 200 letters, no match)
//     (a|b)*c                6.4   26
//     Error|ERROR|error      7.1   10
//     \d+                    5.1   3.9
//     \d{5,}                15.7   10.7        (no match)
//     [A-Z][a-z]+\(          9.6   6.0
//     nothing               15.7   6.6         (no match)
//     ^alpha .*true $        9.5   1.0
//     (?i)error                -   6.9         (left to Regex, unlike the flag `i`)
//
// So a harmless pattern costs at most a few microseconds more, and a pattern with nested
// repetitions does not hang the program.

/// A regular expression that is known to be valid.
///
/// Patterns of the common kind (`PatternNode`) take time in proportion to the length of the text.
/// Other patterns, with a lookahead or a backreference, use `Regex`, which tries one alternative
/// after the other. Such a pattern can take extremely long.
package struct ElementPattern: Equatable, Sendable {
  package let text: String
  /// A Boolean value that indicates whether capital and lowercase letters are the same.
  let ignoresCase: Bool
  private let program: PatternProgram?

  /// Creates a pattern. Throws the error of the regular expression compiler.
  package init(_ text: String, ignoresCase: Bool = false) throws {
    _ = try Regex(text)
    self.text = text
    self.ignoresCase = ignoresCase
    program = PatternParser.parse(text, ignoresCase: ignoresCase).flatMap { PatternProgram($0) }
  }

  package static func == (left: ElementPattern, right: ElementPattern) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8) && left.ignoresCase == right.ignoresCase
  }

  /// A Boolean value that indicates whether the time for a match grows in proportion to the length
  /// of the text, and not faster.
  var isLinear: Bool { program != nil }

  /// A pattern that is ready to be used.
  ///
  /// Threads may not share the compiled form, so each thread makes its own. The lock, which no
  /// other thread wants, proves this to the compiler.
  final class Matcher: Sendable {
    private let program: PatternProgram?
    private let regex: BlockingMutex<Regex<AnyRegexOutput>?>

    init(_ pattern: ElementPattern) {
      program = pattern.program
      let regex = pattern.isLinear ? nil : try? Regex(pattern.text)
      self.regex = BlockingMutex(regex?.ignoresCase(pattern.ignoresCase))
    }

    func matches(_ text: String) -> Bool {
      if let program { return program.matches(text) }
      return regex.withLock { regex in
        guard let regex else { return false }
        return (try? regex.firstMatch(in: text)) != nil
      }
    }
  }
}

/// A regular expression of the common kind, as a tree.
///
/// The common kind consists of characters, `.`, `[...]`, `\d`, `\w`, `\s`, groups, `|`, `^`, `$`,
/// and `*`, `+`, `?` and `{2,5}`. Such patterns need no memory of earlier matches, so that time
/// grows only with the length of a string.
private indirect enum PatternNode {
  case one(PatternCharacters)
  case start, end
  case sequence([PatternNode])
  case either([PatternNode])
  /// A repetition; it is unlimited if `maxCount` is nil.
  case repeated(PatternNode, minCount: Int, maxCount: Int?)
}

/// The characters that one position of a pattern matches.
private struct PatternCharacters: Sendable {
  enum Kind: Sendable {
    case character(Character)
    /// A range of ASCII characters; both bounds are ASCII.
    case range(ClosedRange<Character>)
    case digit, word, space
    case notDigit, notWord, notSpace
    /// Any character except line terminators.
    case any
  }

  private let kinds: [Kind]
  private let isNegated: Bool
  /// A bit for each of the first 64 ASCII characters that matches; `high` has the bits of the
  /// others.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ kinds: [Kind], isNegated: Bool = false) {
    self.kinds = kinds
    self.isNegated = isNegated
    for value in UInt8(0)..<0x80 where isMember(Character(UnicodeScalar(value))) {
      if value < 64 { low |= 1 &<< UInt64(value) } else { high |= 1 &<< UInt64(value - 64) }
    }
  }

  /// Reports whether a character matches.
  ///
  /// - Parameter ascii: The ASCII value of the character; nil if it is not ASCII, or is two ASCII
  ///   characters, as CR LF is.
  func contains(_ character: Character, ascii: UInt8?) -> Bool {
    guard let ascii else { return isMember(character) }
    return (ascii < 64 ? low &>> UInt64(ascii) : high &>> UInt64(ascii - 64)) & 1 == 1
  }

  private func isMember(_ character: Character) -> Bool {
    kinds.contains { PatternCharacters.matches($0, character) } != isNegated
  }

  private static func matches(_ kind: Kind, _ character: Character) -> Bool {
    switch kind {
    case .character(let one): character == one
    case .range(let range): isSingle(character) && range.contains(character)
    case .digit: character.isNumber
    case .notDigit: !character.isNumber
    case .word: isWord(character)
    case .notWord: !isWord(character)
    case .space: character.isWhitespace
    case .notSpace: !character.isWhitespace
    case .any: !character.isNewline
    }
  }

  private static func isSingle(_ character: Character) -> Bool {
    character.utf8.count == 1
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}

/// A parser for patterns of the common kind, which the regular expression compiler has already
/// accepted.
private struct PatternParser {
  /// The maximum depth of groups in groups. The parser does not follow deeper ones.
  private static let deepest = 100
  private static let maxRepetitions = 1000

  private var rest: ArraySlice<Character>
  private let ignoresCase: Bool
  private var depth = 0

  /// Returns the tree of a pattern; nil if the pattern is not of the common kind.
  static func parse(_ text: String, ignoresCase: Bool) -> PatternNode? {
    let characters = Array(text)
    // A character that consists of several scalars may mean something else to the compiler.
    guard characters.allSatisfy({ $0.unicodeScalars.count == 1 }) else { return nil }
    var parser = PatternParser(rest: characters[...], ignoresCase: ignoresCase)
    guard let node = parser.alternatives(), parser.rest.isEmpty else { return nil }
    return node
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func alternatives() -> PatternNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PatternParser.deepest else { return nil }
    var all: [PatternNode] = []
    repeat {
      guard let sequence = sequence() else { return nil }
      all.append(sequence)
    } while take("|")
    return all.count == 1 ? all[0] : .either(all)
  }

  private mutating func sequence() -> PatternNode? {
    var all: [PatternNode] = []
    while let next = rest.first, next != "|", next != ")" {
      guard let atom = atom(), let node = repetition(of: atom) else { return nil }
      all.append(node)
    }
    return .sequence(all)
  }

  private mutating func atom() -> PatternNode? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "(":
      // Named groups, lookaheads and options are not of the common kind.
      if take("?"), !take(":") { return nil }
      guard let inner = alternatives(), take(")") else { return nil }
      return inner
    case "[": return set().map { .one($0) }
    case ".": return .one(PatternCharacters([.any]))
    case "^": return .start
    case "$": return .end
    case "\\": return escaped().map { .one(PatternCharacters(cases($0))) }
    case "*", "+", "?", "{", "}", "]", ")", "|": return nil
    default: return .one(PatternCharacters(cases(.character(character))))
    }
  }

  /// Returns the characters of a kind, in both cases if case is ignored.
  private func cases(_ kind: PatternCharacters.Kind) -> [PatternCharacters.Kind] {
    guard ignoresCase else { return [kind] }
    switch kind {
    case .character(let one):
      let both = [one.lowercased(), one.uppercased()].filter { $0.count == 1 }
      return [kind] + both.compactMap(\.first).filter { $0 != one }.map { .character($0) }
    case .range(let range):
      let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".flatMap { letter in
        zip([letter], letter.lowercased()).flatMap { [($0, $1), ($1, $0)] }
      }
      return [kind]
        + letters.filter { range.contains($0.0) }.map { PatternCharacters.Kind.character($0.1) }
    default: return [kind]
    }
  }

  private mutating func escaped() -> PatternCharacters.Kind? {
    guard let character = rest.popFirst() else { return nil }
    switch character {
    case "d": return .digit
    case "D": return .notDigit
    case "w": return .word
    case "W": return .notWord
    case "s": return .space
    case "S": return .notSpace
    case "n": return .character("\n")
    case "r": return .character("\r")
    case "t": return .character("\t")
    default:
      let isPlain = character.isASCII && !character.isLetter && !character.isNumber
      return isPlain && character > " " ? .character(character) : nil
    }
  }

  private mutating func repetition(of atom: PatternNode) -> PatternNode? {
    let node: PatternNode
    switch rest.first {
    case "*": node = .repeated(atom, minCount: 0, maxCount: nil)
    case "+": node = .repeated(atom, minCount: 1, maxCount: nil)
    case "?": node = .repeated(atom, minCount: 0, maxCount: 1)
    case "{":
      guard let (minCount, maxCount) = bounds() else { return nil }
      node = .repeated(atom, minCount: minCount, maxCount: maxCount)
    default: return atom
    }
    rest.removeFirst()
    // A lazy quantifier does not change whether there is a match, but a possessive one does.
    _ = take("?")
    switch rest.first {
    case "*", "+", "?", "{": return nil
    default: break
    }
    if case .start = atom { return nil }
    if case .end = atom { return nil }
    return node
  }

  /// Parses the bounds between braces, up to the closing brace.
  private mutating func bounds() -> (Int, Int?)? {
    rest.removeFirst()
    guard let minCount = number() else { return nil }
    var maxCount: Int? = minCount
    if take(",") { maxCount = rest.first == "}" ? nil : number() ?? -1 }
    guard rest.first == "}", maxCount.map({ $0 >= minCount }) ?? true else { return nil }
    return (minCount, maxCount)
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return Int(String(digits)).flatMap { $0 <= PatternParser.maxRepetitions ? $0 : nil }
  }

  private mutating func set() -> PatternCharacters? {
    let isNegated = take("^")
    var kinds: [PatternCharacters.Kind] = []
    while let character = rest.popFirst() {
      switch character {
      case "]": return kinds.isEmpty ? nil : PatternCharacters(kinds, isNegated: isNegated)
      // Nested sets and set operations are not of the common kind.
      case "[": return nil
      case "&", "-", "~": if character == "-" || rest.first == character { return nil }
      default: break
      }
      guard let first = character == "\\" ? escaped() : .character(character) else { return nil }
      guard rest.first == "-" else {
        kinds += cases(first)
        continue
      }
      rest.removeFirst()
      guard case .character(let low) = first, let high = rest.popFirst(), low.isASCII,
        high.isASCII, high.isLetter || high.isNumber, low <= high
      else { return nil }
      kinds += cases(.range(low...high))
    }
    return nil
  }
}

/// A program that finds a pattern in a string in one pass, regardless of how the pattern was
/// written. It follows all possible matches at once (Thompson, 1968), and never tries one after
/// another.
private struct PatternProgram: Sendable {
  private enum Step: Sendable {
    case take(PatternCharacters)
    case start, end
    case jump(Int)
    case both(Int, Int)
    case found
  }

  /// The maximum number of steps. Repetitions of repetitions may ask for any number.
  private static let maxSteps = 4000

  private var steps: [Step] = []
  /// A Boolean value that indicates whether a match can only begin at the start of a string.
  private var isAnchored: Bool {
    if case .start = steps[0] { true } else { false }
  }

  /// Compiles a pattern; returns nil if the pattern is too long when its repetitions are written
  /// out.
  init?(_ node: PatternNode) {
    guard add(node) else { return nil }
    steps.append(.found)
  }

  private mutating func add(_ node: PatternNode) -> Bool {
    guard steps.count < PatternProgram.maxSteps else { return false }
    switch node {
    case .one(let characters): steps.append(.take(characters))
    case .start: steps.append(.start)
    case .end: steps.append(.end)
    case .sequence(let all):
      for node in all where !add(node) { return false }
    case .either(let all):
      return add(all[...])
    case .repeated(let node, let minCount, let maxCount):
      return add(node, minCount, maxCount)
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

  private mutating func add(_ node: PatternNode, _ minCount: Int, _ maxCount: Int?) -> Bool {
    for _ in 0..<minCount where !add(node) { return false }
    guard let maxCount else {
      let fork = reserve()
      guard add(node) else { return false }
      steps.append(.jump(fork))
      steps[fork] = .both(fork + 1, steps.count)
      return true
    }
    var forks: [Int] = []
    for _ in minCount..<maxCount {
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
    let isAnchored = isAnchored
    var (now, next) = (Ways(count: steps.count), Ways(count: steps.count))
    var index = text.startIndex
    while true {
      let isLast = index == text.endIndex
      if follow(0, &now, isFirst: index == text.startIndex, isLast: isLast) { return true }
      guard !isLast, !(isAnchored && now.waiting.isEmpty) else { return false }
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

  /// Follows the steps that do not consume a character, and returns true if that reaches the end of
  /// the pattern.
  private func follow(_ start: Int, _ ways: inout Ways, isFirst: Bool, isLast: Bool) -> Bool {
    ways.open.append(start)
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
