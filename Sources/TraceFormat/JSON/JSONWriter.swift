/// A writer of JSON text that keeps the order of the members and the exact value of numbers. The
/// text doesn't contain any character that a terminal interprets or hides.
///
///     var json = JSONWriter(.indented)
///     json.object {
///       $0.string("rule", "growth")
///       $0.array("lanes") { $0.string("search") }
///     }
///
/// A value inside an object needs a key. A value inside an array or at the top level has no key.
@usableFromInline
package struct JSONWriter: Sendable {
  package enum Layout: Sendable {
    /// No whitespace anywhere.
    case compact
    /// One value per line, indented by two spaces per level.
    case indented
  }

  /// The text so far, as valid UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// True if `<` becomes `\u003c`, so that the text can be inside a `<script>` of HTML.
  private let escapesLessThan: Bool
  private let layout: Layout
  private var depth = 0
  /// True while nothing precedes the next value in its object, array or document.
  private var isFirst = true
  /// The number of objects and arrays around the next value that are written on one line.
  private var lineDepth = 0

  package init(_ layout: Layout = .compact, escapesLessThan: Bool = false) {
    self.layout = layout
    self.escapesLessThan = escapesLessThan
  }

  package var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Discards the bytes written so far, to make room for the next piece of a long text. Open
  /// objects and arrays stay open.
  package mutating func removeBytes() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Returns a writer for some of the next elements of the open array. Other threads may use it.
  /// `append` adds what it writes.
  ///
  /// - Parameter isFirst: True if these are the first elements that are written separately.
  package func part(isFirst: Bool) -> JSONWriter {
    var part = self
    part.bytes = []
    part.isFirst = self.isFirst && isFirst
    return part
  }

  /// Adds elements that were written separately.
  package mutating func append(_ part: JSONWriter) {
    bytes += part.bytes
    isFirst = isFirst && part.isFirst
  }

  /// Ends a document. Another one may follow.
  package mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  /// - Parameter onOneLine: Writes the object as `{"a": 1, "b": 2}` even if the rest is indented.
  package mutating func object(
    _ key: String? = nil, onOneLine: Bool = false, _ members: (inout JSONWriter) -> Void
  ) {
    nested(key, UInt8(ascii: "{"), UInt8(ascii: "}"), onOneLine, members)
  }

  /// - Parameter onOneLine: Writes the array as `[1, 2]` even if the rest is indented.
  package mutating func array(
    _ key: String? = nil, onOneLine: Bool = false, _ elements: (inout JSONWriter) -> Void
  ) {
    nested(key, UInt8(ascii: "["), UInt8(ascii: "]"), onOneLine, elements)
  }

  package mutating func string(_ key: String? = nil, _ value: String) {
    begin(key)
    JSONText.append(value, to: &bytes, escapesLessThan: escapesLessThan)
  }

  /// Writes an integer with all its digits. Readers that store numbers as doubles round above 2^53.
  @inlinable
  package mutating func integer(_ key: String? = nil, _ value: some FixedWidthInteger) {
    integer(key, UInt64(value.magnitude), isNegative: value < 0)
  }

  @usableFromInline
  mutating func integer(_ key: String?, _ magnitude: UInt64, isNegative: Bool) {
    begin(key)
    JSONText.append(magnitude, isNegative: isNegative, to: &bytes)
  }

  /// Writes a number of thousandths exactly: 1234567 becomes 1234.567.
  package mutating func thousandths(_ key: String? = nil, _ value: UInt64) {
    begin(key)
    JSONText.append(value / 1000, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    let rest = value % 1000
    for digit in [rest / 100, rest / 10 % 10, rest % 10] {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
    }
  }

  /// Writes the shortest text that reads back as the same number. Infinities and NaN become `null`,
  /// because JSON does not have them.
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
    // An empty object or array stays on one line.
    if !isFirst, line == 0 { breakLine() }
    bytes.append(closing)
    isFirst = false
  }

  /// Writes what precedes a value: the comma, the line break and the key.
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
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}
