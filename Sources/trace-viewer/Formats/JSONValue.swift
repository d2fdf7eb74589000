/// A value of a JSON text, with its start position.
struct JSONValue: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    /// The members in the order of the text.
    case object([JSONMember])
    case array([JSONValue])
    case string(String)
    /// A number without a fraction and an exponent that fits in 64 bits.
    case integer(Int)
    case double(Double)
    case bool(Bool)
    case null
  }

  let content: Content
  let place: TextPlace

  /// The name of the type in a sentence.
  var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .integer, .double: "a number"
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    }
  }
}

struct JSONMember: Equatable, Sendable {
  let key: String
  let keyPlace: TextPlace
  let value: JSONValue
}
