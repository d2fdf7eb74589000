@testable import TraceReports

// Lookups for tests. They return `nil` instead of an error.
extension JSONValue {
  static func read(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDocument(bytes).node.value
  }

  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  var elements: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  var integer: Int? {
    if case .integer(let number) = content { number } else { nil }
  }
}
