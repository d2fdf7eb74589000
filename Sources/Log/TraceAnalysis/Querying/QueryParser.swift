import TraceFormat

extension Query {
  /// Parses a query.
  package init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text)
    let root = try parser.whole()
    self.init(root, text: text)
    if eventTerms.count > Self.maxTexts { throw QueryError(kind: .tooManyTexts, offset: 0) }
  }

  /// Parses the value of a name, as it may follow the name in a query, but with spaces.
  ///
  /// `/.../` and `/.../i` are regular expressions, and all other text is what it is.
  package static func value(_ text: String) throws(QueryError) -> TextPattern {
    var parser = QueryParser(text)
    if let pattern = try parser.regex(), parser.isAtEnd { return .regex(pattern) }
    return .text(SearchText(text))
  }

  /// Returns a name as it is written in a query.
  package static func quoted(_ name: String) -> String {
    let needsQuotes =
      name.contains { " ()\"".contains($0) } || ["and", "or", "not"].contains(name.lowercased())
      || name.isEmpty || "-!/#".contains(name.first ?? "-")
    return needsQuotes ? "\"\(name.filter { $0 != "\"" })\"" : name
  }

  /// Returns the word at the end of a text, with its quotation marks, or an empty string after a
  /// space.
  package static func lastWord(of text: String) -> String {
    var start = text.startIndex
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      let begins = text[index] == " " || (text[index] == "(" && index == start)
      if begins, !isQuoted { start = text.index(after: index) }
    }
    return String(text[start...])
  }
}

/// A parser for queries, which reads one character after another.
struct QueryParser {
  private let text: [Character]
  private var position = 0
  private var depth = 0
  /// The number of groups around the position.
  private var groups = 0

  init(_ text: String) {
    self.text = Array(text)
  }

  var isAtEnd: Bool { position == text.count }

  mutating func whole() throws(QueryError) -> QueryNode {
    skipSpaces()
    guard !isAtEnd else { return .all([]) }
    return try alternatives()
  }

  // MARK: Operators

  private mutating func alternatives() throws(QueryError) -> QueryNode {
    var all = [try conjunction()]
    var start = position
    while take(word: "or") {
      try requireTerm(after: "or", at: start)
      all.append(try conjunction())
      start = position
    }
    return all.count == 1 ? all[0] : .any(all)
  }

  /// Parses what `and` or only spaces join.
  private mutating func conjunction() throws(QueryError) -> QueryNode {
    var parts: [QueryNode] = []
    var adjacent = [try negation()]
    while true {
      let start = position
      if take(word: "and") {
        try requireTerm(after: "and", at: start)
        parts.append(Self.joined(adjacent))
        adjacent = [try negation()]
      } else if isAtEnd || isAtEndOfGroup || isAt(word: "or") {
        break
      } else {
        adjacent.append(try negation())
      }
    }
    parts.append(Self.joined(adjacent))
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Joins terms that are next to each other. Those with the same name are alternatives if a
  /// subscription has one of it: `lane:a lane:b` selects two lanes.
  private static func joined(_ nodes: [QueryNode]) -> QueryNode {
    guard nodes.count > 1 else { return nodes[0] }
    var all: [QueryNode] = []
    var places: [String: Int] = [:]
    for node in nodes {
      guard case .term(let term) = node, let key = term.key else {
        all.append(node)
        continue
      }
      guard let place = places[key] else {
        places[key] = all.count
        all.append(node)
        continue
      }
      if case .any(let others) = all[place] {
        all[place] = .any(others + [node])
      } else {
        all[place] = .any([all[place], node])
      }
    }
    return all.count == 1 ? all[0] : .all(all)
  }

  private mutating func negation() throws(QueryError) -> QueryNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Query.maxDepth else { throw error(.tooDeep) }
    let start = position
    if take(word: "not") {
      try requireTerm(after: "not", at: start)
      return .not(try negation())
    }
    if let sign = current, "-!".contains(sign) {
      position += 1
      guard let next = current, !next.isWhitespace, next != ")" else {
        throw QueryError(kind: .missingTerm(after: String(sign)), offset: start)
      }
      return .not(try negation())
    }
    return try primary()
  }

  private mutating func primary() throws(QueryError) -> QueryNode {
    let start = position
    if take("(") {
      groups += 1
      skipSpaces()
      guard current != ")" else { throw QueryError(kind: .emptyGroup, offset: start) }
      guard !isAtEnd else { throw QueryError(kind: .openGroup, offset: start) }
      let node = try alternatives()
      guard take(")") else { throw QueryError(kind: .openGroup, offset: start) }
      groups -= 1
      skipSpaces()
      return node
    }
    guard current != ")" else { throw error(.strayParenthesis) }
    for word in ["and", "or"] where isAt(word: word) {
      throw error(.missingTerm(after: word))
    }
    let term = try term()
    skipSpaces()
    return term
  }

  private func requireTerm(after word: String, at start: Int) throws(QueryError) {
    guard !isAtEnd, !isAtEndOfGroup else {
      throw QueryError(kind: .missingTerm(after: word), offset: start)
    }
  }

  // MARK: Terms

  private mutating func term() throws(QueryError) -> QueryNode {
    if let pattern = try regex() { return .term(.text(.regex(pattern))) }
    let start = position
    guard current != "\"" else { return .term(.text(.text(SearchText(try word())))) }
    if let name = name() {
      guard Query.names.contains(name) else {
        throw QueryError(kind: .unknownName(name + ":"), offset: start)
      }
      position += name.count + 1
      return try value(of: name, start)
    }
    if let amount = try amount() { return .term(.amount(amount)) }
    let word = try word()
    if word.first == "#", let number = UInt64(word.dropFirst()) { return .term(.number(number)) }
    return .term(.text(.text(SearchText(word))))
  }

  /// Returns the name before a colon at the position, or `nil`, as for the place `Model.swift:42`.
  private func name() -> String? {
    let word = text[position...].prefix { !$0.isWhitespace && $0 != "\"" && $0 != "(" }
    guard let colon = word.firstIndex(of: ":"), colon > position,
      word[..<colon].allSatisfy({ $0.isLetter || $0 == "-" || $0 == "_" })
    else { return nil }
    return String(word[..<colon])
  }

  private mutating func value(of name: String, _ start: Int) throws(QueryError) -> QueryNode {
    let begin = position
    if ["value", "error"].contains(name) {
      let pattern: TextPattern
      if let regex = try regex() {
        pattern = .regex(regex)
      } else {
        pattern = .text(SearchText(try word(after: name, start)))
      }
      return .term(name == "value" ? .value(pattern) : .error(pattern))
    }
    let regex = ["state", "id", "has", "alive"].contains(name) ? nil : try regex()
    let text = regex == nil ? try word(after: name, start) : ""
    let pattern = regex.map { NamePattern.regex($0) } ?? .glob(GlobPattern(text))
    switch name {
    case "lane": return .term(.lane(pattern))
    case "source": return .term(.source(pattern))
    case "scope": return .term(.scope(pattern))
    case "thread": return .term(.thread(pattern))
    case "process": return .term(.process(pattern))
    case "rule": return .term(.rule(pattern))
    case "id":
      guard let number = UInt64(text.hasPrefix("#") ? text.dropFirst() : text[...]) else {
        throw QueryError(kind: .notANumber(text, name: "id:"), offset: begin)
      }
      return .term(.number(number))
    case "state":
      guard let state = Lifecycle.State.allCases.first(where: { "\($0)" == text }) else {
        throw QueryError(kind: .unknownState(text), offset: begin)
      }
      return .term(.state(state))
    case "has":
      guard Query.features.contains(text) else {
        throw QueryError(kind: .unknownFeature(text), offset: begin)
      }
      return .term(.rule(.glob(GlobPattern("*"))))
    default:
      return .term(.alive(try Self.moment(text, begin)))
    }
  }

  private static func moment(_ text: String, _ offset: Int) throws(QueryError) -> QueryMoment {
    if text.hasSuffix("%") {
      guard let share = Double(text.dropLast()), (0...100).contains(share) else {
        throw QueryError(kind: .emptyMoment(text), offset: offset)
      }
      return .percent(share)
    }
    return TimeText.nanoseconds(text).map { .time($0) } ?? .mark(text)
  }

  /// Parses a condition such as `life>1s`, or returns `nil` for anything else.
  private mutating func amount() throws(QueryError) -> QueryAmount? {
    let start = position
    let letters = text[start...].prefix { $0.isLetter }
    let signs = text[letters.endIndex...].prefix { "<>=".contains($0) }
    let name = String(letters)
    guard !letters.isEmpty, !signs.isEmpty,
      let relation = QueryAmount.Relation.allCases.first(where: { String(signs) == $0.rawValue })
    else { return nil }
    let known = Query.quantities.first { $0.name == name }
    // Names of types may have the same signs, but a number after them is a comparison.
    let next = signs.endIndex < text.count ? text[signs.endIndex] : nil
    guard let quantity = known?.quantity else {
      guard relation != .equal, next?.isNumber ?? false else { return nil }
      throw QueryError(kind: .unknownName(name + String(signs)), offset: start)
    }
    position = signs.endIndex
    let number = try word()
    let value =
      quantity == .elements ? UInt64(number) : TimeText.nanoseconds(number)?.count
    guard let value else {
      let kind: QueryError.Kind =
        quantity == .elements ? .notANumber(number, name: name) : .notATime(number, name: name)
      throw QueryError(kind: kind, offset: signs.endIndex)
    }
    return QueryAmount(quantity, relation, value)
  }

  /// Parses a regular expression such as `/time.*out/i`, or returns `nil` for any other text. A
  /// path such as `/home/me/Model.swift` is text.
  mutating func regex() throws(QueryError) -> ElementPattern? {
    guard current == "/" else { return nil }
    let start = position
    var end = start + 1
    while end < text.count, text[end] != "/" { end += text[end] == "\\" ? 2 : 1 }
    guard end < text.count else { throw QueryError(kind: .openPattern, offset: start) }
    var after = end + 1
    let ignoresCase = after < text.count && text[after] == "i"
    if ignoresCase { after += 1 }
    guard end > start + 1,
      after == text.count || text[after].isWhitespace || (text[after] == ")" && groups > 0)
    else { return nil }
    let pattern = String(text[start + 1..<end]).replacing("\\/", with: "/")
    position = after
    do {
      return try ElementPattern(pattern, ignoresCase: ignoresCase)
    } catch {
      throw QueryError(
        kind: .wrongPattern(pattern, reason: String(describing: error)), offset: start)
    }
  }

  /// Parses the value after a name.
  private mutating func word(after name: String, _ start: Int) throws(QueryError) -> String {
    let word = try word()
    guard !word.isEmpty else {
      throw QueryError(kind: .missingValue(name: name + ":"), offset: start)
    }
    return word
  }

  /// Parses a word up to a space, except in quotes, or up to the end of a group. A word may have
  /// pairs of parentheses.
  private mutating func word() throws(QueryError) -> String {
    var word = ""
    var isQuoted = false
    var open = 0
    while let character = current, isQuoted || !character.isWhitespace {
      if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == ")", open == 0 {
        guard groups > 0 else { throw error(.strayParenthesis) }
        break
      } else {
        if !isQuoted, character == "(" { open += 1 }
        if !isQuoted, character == ")" { open -= 1 }
        word.append(character)
      }
      position += 1
    }
    return word
  }

  // MARK: Characters

  private var current: Character? { isAtEnd ? nil : text[position] }
  private var isAtEndOfGroup: Bool { groups > 0 && current == ")" }

  private func error(_ kind: QueryError.Kind) -> QueryError {
    QueryError(kind: kind, offset: position)
  }

  private mutating func skipSpaces() {
    while current?.isWhitespace ?? false { position += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    guard current == character else { return false }
    position += 1
    return true
  }

  private func isAt(word: String) -> Bool {
    let end = position + word.count
    guard end <= text.count, String(text[position..<end]).lowercased() == word else { return false }
    return end == text.count || text[end].isWhitespace || "()".contains(text[end])
  }

  private mutating func take(word: String) -> Bool {
    guard isAt(word: word) else { return false }
    position += word.count
    skipSpaces()
    return true
  }
}

extension QueryTerm {
  /// The name of a term of which a subscription has one, or `nil`.
  fileprivate var key: String? {
    switch self {
    case .lane: "lane"
    case .source: "source"
    case .scope: "scope"
    case .thread: "thread"
    case .process: "process"
    case .rule: "rule"
    case .state: "state"
    case .number: "id"
    case .text, .value, .error, .alive, .amount: nil
    }
  }
}
