import TraceFormat

/// A parser for patterns of the common kind, which the regular expression compiler has already
/// accepted.
struct PatternParser {
  /// The maximum depth of groups in groups. The parser does not follow deeper ones.
  private static let deepest = 100
  private static let mostRepetitions = 1000

  private var rest: ArraySlice<Character>
  private var depth = 0

  /// Returns the tree of a pattern; nil if the pattern is not of the common kind.
  static func parse(_ text: String) -> PatternNode? {
    let characters = Array(text)
    // A character that consists of several scalars may mean something else to the compiler.
    guard characters.allSatisfy({ $0.unicodeScalars.count == 1 }) else { return nil }
    var parser = PatternParser(rest: characters[...])
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
    case "\\": return escaped().map { .one(PatternCharacters([$0])) }
    case "*", "+", "?", "{", "}", "]", ")", "|": return nil
    default: return .one(PatternCharacters(character))
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
    case "*": node = .repeated(atom, least: 0, most: nil)
    case "+": node = .repeated(atom, least: 1, most: nil)
    case "?": node = .repeated(atom, least: 0, most: 1)
    case "{":
      guard let (least, most) = bounds() else { return nil }
      node = .repeated(atom, least: least, most: most)
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
    guard let least = number() else { return nil }
    var most: Int? = least
    if take(",") { most = rest.first == "}" ? nil : number() ?? -1 }
    guard rest.first == "}", most.map({ $0 >= least }) ?? true else { return nil }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    rest = rest.dropFirst(digits.count)
    return Int(String(digits)).flatMap { $0 <= PatternParser.mostRepetitions ? $0 : nil }
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
        kinds.append(first)
        continue
      }
      rest.removeFirst()
      guard case .character(let low) = first, let high = rest.popFirst(), low.isASCII,
        high.isASCII, high.isLetter || high.isNumber, low <= high
      else { return nil }
      kinds.append(.range(low...high))
    }
    return nil
  }
}
