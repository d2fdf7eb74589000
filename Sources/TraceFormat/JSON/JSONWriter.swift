/// Writes JSON text: members in the order given, numbers exact, no character in it that a terminal would obey or hide.
///
///     var json = JSONWriter(.indented)
///     json.object {
///       $0.string("rule", "growth")
///       $0.array("lanes") { $0.string("search") }
///     }
///
/// A value inside an object is given a key, one inside an array or at the top is not.
package struct JSONWriter {
  package enum Layout: Sendable {
    /// No space anywhere.
    case compact
    /// A line a value, two spaces a level.
    case indented
  }

  /// The text so far, valid UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// Writes `<` as `\u003c`, so that the text may stand inside a `<script>` of HTML.
  private let escapesLessThan: Bool
  private let layout: Layout
  private var depth = 0
  /// Nothing stands yet before the next value in its object, array or document.
  private var isFirst = true
  /// How many of the objects and arrays around the next value are written on one line.
  private var lineDepth = 0

  package init(_ layout: Layout = .compact, escapesLessThan: Bool = false) {
    self.layout = layout
    self.escapesLessThan = escapesLessThan
  }

  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Forgets what was written, for the next piece of a long text; what is open stays open.
  package mutating func removeBytes() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends a document, after which another may follow.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  /// - Parameter onOneLine: Writes it as `{"a": 1, "b": 2}` also where the rest is indented.
  package mutating func object(
    _ key: String? = nil, onOneLine: Bool = false, _ members: (inout JSONWriter) -> Void
  ) {
    nested(key, UInt8(ascii: "{"), UInt8(ascii: "}"), onOneLine, members)
  }

  /// - Parameter onOneLine: Writes it as `[1, 2]` also where the rest is indented.
  package mutating func array(
    _ key: String? = nil, onOneLine: Bool = false, _ elements: (inout JSONWriter) -> Void
  ) {
    nested(key, UInt8(ascii: "["), UInt8(ascii: "]"), onOneLine, elements)
  }

  package mutating func string(_ key: String? = nil, _ value: String) {
    begin(key)
    JSONText.append(value, to: &bytes, escapesLessThan: escapesLessThan)
  }

  /// Every digit is written; readers that keep numbers as doubles round above 2^53.
  package mutating func integer(_ key: String? = nil, _ value: some FixedWidthInteger) {
    begin(key)
    JSONText.append(value, to: &bytes)
  }

  /// A number of thousandths, exactly: 1234567 is written as 1234.567.
  package mutating func thousandths(_ key: String? = nil, _ value: UInt64) {
    begin(key)
    JSONText.append(value / 1000, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    let rest = value % 1000
    for digit in [rest / 100, rest / 10 % 10, rest % 10] {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
    }
  }

  /// The shortest text that reads back as the same number; `null` for infinities and what is no number, which JSON has not.
  package mutating func double(_ key: String? = nil, _ value: Double) {
    begin(key)
    append(value.isFinite ? value.description : "null")
  }

  package mutating func bool(_ key: String? = nil, _ value: Bool) {
    begin(key)
    append(value ? "true" : "false")
  }

  package mutating func null(_ key: String? = nil) {
    begin(key)
    append("null")
  }

  private mutating func nested(
    _ key: String?, _ opening: UInt8, _ closing: UInt8, _ onOneLine: Bool,
    _ body: (inout JSONWriter) -> Void
  ) {
    begin(key)
    bytes.append(opening)
    let line = onOneLine || lineDepth > 0 ? 1 : 0
    depth += 1
    lineDepth += line
    isFirst = true
    body(&self)
    depth -= 1
    lineDepth -= line
    // An empty one stays on its line.
    if !isFirst, line == 0 { breakLine() }
    bytes.append(closing)
    isFirst = false
  }

  /// What stands before a value: comma, new line, key.
  private mutating func begin(_ key: String?) {
    if !isFirst {
      bytes.append(UInt8(ascii: ","))
      if lineDepth > 0, layout == .indented { bytes.append(UInt8(ascii: " ")) }
    }
    if depth > 0, lineDepth == 0 { breakLine() }
    isFirst = false
    guard let key else { return }
    JSONText.append(key, to: &bytes, escapesLessThan: escapesLessThan)
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(UInt8(ascii: " ")) }
  }

  private mutating func breakLine() {
    guard layout == .indented else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<2 * depth { bytes.append(UInt8(ascii: " ")) }
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
