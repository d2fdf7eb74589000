/// A reader of Protocol Buffers messages that doesn't need their schema.
package struct ProtobufReader {
  package enum Value: Equatable {
    case number(UInt64)
    case bytes([UInt8])
  }

  /// The values of each field, in order, by field number.
  package let fields: [Int: [Value]]

  /// Parses a message, or returns nil if the bytes aren't a valid message.
  package init?(_ bytes: some Sequence<UInt8>) {
    var rest = Array(bytes)[...]
    var fields: [Int: [Value]] = [:]
    while !rest.isEmpty {
      guard let tag = Self.varint(&rest), let value = Self.value(tag & 7, &rest) else { return nil }
      fields[Int(tag >> 3), default: []].append(value)
    }
    self.fields = fields
  }

  package func number(_ field: Int) -> UInt64? {
    if case .number(let number)? = fields[field]?.last { number } else { nil }
  }

  package func numbers(_ field: Int) -> [UInt64] {
    (fields[field] ?? []).compactMap { if case .number(let it) = $0 { it } else { nil } }
  }

  /// Returns the text of a field, or nil if the field is missing or isn't valid UTF-8.
  package func text(_ field: Int) -> String? {
    guard case .bytes(let bytes)? = fields[field]?.last else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  package func messages(_ field: Int) -> [ProtobufReader] {
    (fields[field] ?? []).compactMap {
      if case .bytes(let bytes) = $0 { ProtobufReader(bytes) } else { nil }
    }
  }

  package func message(_ field: Int) -> ProtobufReader? {
    messages(field).last
  }

  private static func value(_ type: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
    switch type {
    case 0: return varint(&rest).map { .number($0) }
    case 1:
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return .number(rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case 2:
      guard let length = varint(&rest), length <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(length)) }
      return .bytes(Array(rest.prefix(Int(length))))
    default: return nil
    }
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}
