/// A value of a JSON text, with the place that it begins at.
struct JSONValue: Equatable, Sendable {
  enum Content: Equatable, Sendable {
    /// In the order of the text.
    case object([JSONMember])
    case array([JSONValue])
    case string(String)
    /// A number without fraction and exponent that 64 bits hold.
    case integer(Int)
    case double(Double)
    case bool(Bool)
    case null
  }

  let content: Content
  let place: TextPlace

  /// What a sentence calls it.
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
