import ViewerConsole

/// A value of a document and its path, with checked access. A value of the wrong type causes an
/// error that names both.
///
///     '.rules.growth.min' must be a positive integer, not a string (line 4).
struct JSONNode: Equatable, Sendable {
  let value: JSONValue
  /// The path, such as `.rules.growth` or `.maxActive["search.*"]`. It is empty for the root.
  let path: String

  /// A member of an object, with its key.
  struct Member: Equatable, Sendable {
    let key: String
    let keyLocation: TextLocation
    let node: JSONNode
  }

  func members(_ expected: String = "an object") throws(JSONError) -> [Member] {
    guard case .object(let members) = value.content else { throw mustBe(expected) }
    return members.map {
      Member(
        key: $0.key, keyLocation: $0.keyLocation,
        node: JSONNode(value: $0.value, path: path + JSONNode.step($0.key)))
    }
  }

  /// Returns the members of an object that has no keys but these. Missing keys are absent from the
  /// result.
  func members(
    only known: [String], _ expected: String = "an object"
  ) throws(JSONError) -> [String: JSONNode] {
    var found: [String: JSONNode] = [:]
    for member in try members(expected) {
      guard known.contains(member.key) else { throw unknown(member, known) }
      found[member.key] = member.node
    }
    return found
  }

  func elements(_ expected: String = "an array") throws(JSONError) -> [JSONNode] {
    guard case .array(let elements) = value.content else { throw mustBe(expected) }
    return elements.enumerated().map { JSONNode(value: $1, path: "\(path)[\($0)]") }
  }

  func string(_ expected: String = "a string") throws(JSONError) -> String {
    guard case .string(let text) = value.content else { throw mustBe(expected) }
    return text
  }

  /// Returns a nonempty string.
  func text(_ expected: String = "a nonempty string") throws(JSONError) -> String {
    let text = try string(expected)
    guard !text.isEmpty else { throw mustBe(expected) }
    return text
  }

  func bool() throws(JSONError) -> Bool {
    guard case .bool(let flag) = value.content else { throw mustBe("true or false") }
    return flag
  }

  /// Returns a whole number in any notation, such as `3.0`.
  func integer(atLeast minimum: Int = .min) throws(JSONError) -> Int {
    var number: Int?
    if case .integer(let integer) = value.content { number = integer }
    if case .double(let double) = value.content { number = Int(exactly: double) }
    guard let number, number >= minimum else { throw mustBe(JSONNode.integer(atLeast: minimum)) }
    return number
  }

  func number(atLeast minimum: Double = -.infinity) throws(JSONError) -> Double {
    var number: Double?
    if case .integer(let integer) = value.content { number = Double(integer) }
    if case .double(let double) = value.content { number = double }
    guard let number, number >= minimum else {
      throw mustBe(minimum == -.infinity ? "a number" : "a number of \(minimum.shortText) or more")
    }
    return number
  }

  /// Returns the string as a case of an enumeration. The error for any other string lists the
  /// cases.
  func word<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type
  ) throws(JSONError) -> Word where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    let expected = "one of " + words.map { "'\($0)'" }.joined(separator: ", ")
    let text = try string(expected)
    guard let word = Word(rawValue: text) else {
      throw .content(
        path, value.location, "must be \(expected), not '\(JSONError.cut(text))'",
        advice: JSONNode.hint(text, words))
    }
    return word
  }

  /// Returns an error that says what was found instead of what was expected.
  func mustBe(_ expected: String) -> JSONError {
    .content(shownPath, value.location, "must be \(expected), not \(found)")
  }

  /// Returns an error about an unknown key of an object of the format. A key of the root is named
  /// only if it resembles a known one, because the file may be any file.
  private func unknown(_ member: Member, _ known: [String]) -> JSONError {
    guard path.isEmpty, JSONNode.hint(member.key, known).isEmpty else {
      return JSONNode.unknown(member, "key", known)
    }
    return .content(
      shownPath, member.keyLocation, "has an unknown key",
      advice: "Known: \(known.joined(separator: ", ")).")
  }

  /// Returns an error about a key that its object does not have.
  static func unknown(_ member: Member, _ what: String, _ known: [String]) -> JSONError {
    let hint = hint(member.key, known)
    let list = known.isEmpty ? "" : "Known: \(known.joined(separator: ", "))."
    return .content(
      member.node.path, member.keyLocation, "is not a known \(what)",
      advice: [hint, list].filter { !$0.isEmpty }.joined(separator: " "))
  }

  private var shownPath: String {
    path.isEmpty ? "." : path
  }

  private var found: String {
    // The file may be any file. Its contents are quoted only after its keys turn out to be those of
    // the format.
    if path.isEmpty { return value.kind }
    return switch value.content {
    case .integer(let integer): "\(integer)"
    case .double(let double): double.shortText
    case .string(""): "an empty string"
    default: value.kind
    }
  }

  private static func integer(atLeast minimum: Int) -> String {
    switch minimum {
    case .min: "an integer"
    case 1: "a positive integer"
    default: "an integer of \(minimum) or more"
    }
  }

  private static func hint(_ word: String, _ words: [String]) -> String {
    Suggestion.best(word, of: words).map { "Did you mean '\($0)'?" } ?? ""
  }

  /// Returns `.name`, or `["any.text"]` if a plain name would be ambiguous.
  private static func step(_ key: String) -> String {
    let isName = key.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "_")
        || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "-")
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
    }
    return isName && !key.isEmpty ? "." + JSONError.cut(key) : "[\"\(JSONError.cut(key))\"]"
  }
}

extension Double {
  /// The number without a redundant fraction: `3`, not `3.0`.
  var shortText: String {
    description.hasSuffix(".0") ? String(description.dropLast(2)) : description
  }
}
