import Foundation
import TestSupport

/// A public operator, as the sources declare it: a method or initializer in an extension of a
/// signal type, or a function.
struct OperatorDeclaration: Hashable {
  /// The extended type, or nil for a function.
  let owner: String?
  /// The name with its labels: `debounce(for:queue:)`.
  let name: String

  /// The name in the list of symbols on a page.
  var symbol: String { owner.map { "\($0)/\(name)" } ?? name }

  /// The name in a sentence on a page: `debounce`, or `Signal(just` for an initializer.
  var mention: String {
    let parts = name.split(separator: "(")
    guard parts[0] == "init" else { return String(parts[0]) }
    return "\(owner ?? "")(\(parts[1].prefix { $0 != ":" })"
  }

  /// The types whose extensions contain operators.
  private static let owners: Set = [
    "AsyncSequence", "ConnectableSignal", "ConnectableSignalProtocol",
    "ObservableCollectionProtocol", "Signal", "SignalProtocol",
  ]

  /// Reports whether a method of these extensions isn't intended for users.
  private static func isHidden(_ name: String) -> Bool { name.hasPrefix("_") }

  /// Returns the operators of all sources, except those with older names.
  static func all() throws -> [OperatorDeclaration] {
    let folder = PackageFolder.url.appending(path: "Sources/ReactiveKit")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Compatibility/") }
    return try files.flatMap { file in
      read(try String(contentsOf: folder.appending(path: file), encoding: .utf8))
    }
  }

  /// Reads the operators of a source file.
  static func read(_ source: String) -> [OperatorDeclaration] {
    var declarations: [OperatorDeclaration] = []
    var owner: String?
    let start = #/^(?:extension (\w+)|[a-z ]*(?:class|struct|enum|protocol|actor) )/#
    let declared = #/^(  )?public (?:static )?(?:func |(?=init\b))`?(\w+)`?/#
    var rest = source[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != "\n" }
      if let match = line.prefixMatch(of: start) {
        owner = match.output.1.map { String($0) }
      } else if let match = line.prefixMatch(of: declared), !isHidden(String(match.output.2)) {
        let isMember = match.output.1 != nil
        if !isMember || owners.contains(owner ?? "") {
          declarations.append(
            OperatorDeclaration(
              owner: isMember ? owner : nil,
              name: match.output.2 + labels(rest[match.range.upperBound...])))
        }
      }
      rest = rest.dropFirst(line.count + 1)
    }
    return declarations
  }

  /// Returns the labels of a declaration, from the end of its name: `(for:queue:)`.
  private static func labels(_ text: Substring) -> String {
    var text = text
    // The generic parameters.
    if text.first == "<" { text = text[balanced(text, "<", ">").endIndex...] }
    let parameters = balanced(text, "(", ")").dropFirst().dropLast()
    var labels = ""
    var depth = 0
    var previous: Character?
    var isAtLabel = true
    for (index, character) in zip(parameters.indices, parameters) {
      if "([{<".contains(character) { depth += 1 }
      if ")]}".contains(character) || character == ">" && previous != "-" { depth -= 1 }
      if character == ",", depth == 0 {
        isAtLabel = true
      } else if isAtLabel, !character.isWhitespace {
        labels += parameters[index...].prefix { $0.isLetter || $0.isNumber || $0 == "_" } + ":"
        isAtLabel = false
      }
      previous = character
    }
    return "(\(labels))"
  }

  /// Returns the text up to the bracket that closes its first one.
  private static func balanced(
    _ text: Substring, _ open: Character, _ close: Character
  ) -> Substring {
    var depth = 0
    for (index, character) in zip(text.indices, text) {
      if character == open { depth += 1 }
      if character == close { depth -= 1 }
      if depth == 0 { return text[...index] }
    }
    return text
  }
}
