/// The bytes between `ESC [` or `ESC O` and the byte that ends the sequence.
struct ControlSequence: Sendable {
  /// The maximum number of bytes. Longer sequences are discarded.
  static let maxBytes = 256

  /// The byte after the escape: `[` or `O`.
  let introducer: UInt8
  private var body: [UInt8] = []

  init(introducer: UInt8) {
    self.introducer = introducer
  }

  var isEmpty: Bool { body.isEmpty }

  mutating func append(_ byte: UInt8) {
    // One byte more than the maximum shows later that the sequence was too long.
    if body.count <= Self.maxBytes { body.append(byte) }
  }

  /// Reports whether a byte is the expected first byte after `ESC [`.
  func isStart(_ byte: UInt8, _ expected: UInt8) -> Bool {
    byte == expected && introducer == UInt8(ascii: "[") && body.isEmpty
  }

  func isFinal(_ byte: UInt8) -> Bool {
    if byte >= 0x40 { return true }
    // rxvt ends a key with a dollar sign if shift is held. In other sequences, the dollar sign
    // comes before the end.
    return byte == UInt8(ascii: "$") && isCSI && !body.isEmpty
      && body.allSatisfy { (0x30...0x39).contains($0) }
  }

  func beginsPaste(_ final: UInt8) -> Bool {
    isCSI && final == UInt8(ascii: "~") && body == Array("200".utf8)
  }

  /// Returns the inputs of the whole sequence. Returns none for answers of the terminal, focus
  /// reports and unknown sequences.
  func inputs(final: UInt8) -> [TerminalInput] {
    guard body.count <= Self.maxBytes else { return [] }
    if isCSI, body.first == UInt8(ascii: "<") {
      guard let fields = SequenceField.parse(body[1...]) else { return [] }
      return MousePress(report: fields.map(\.value), final: final).map { [.mouse($0)] } ?? []
    }
    guard let fields = SequenceField.parse(body[...]) else { return [] }
    if isCSI, final == UInt8(ascii: "u") { return KittyKey.inputs(fields) }
    let press = isCSI ? ControlKey.press(fields, final) : KeypadKey.press(fields, final)
    return press.map { [.key($0)] } ?? []
  }

  private var isCSI: Bool { introducer == UInt8(ascii: "[") }
}

/// A number of a control sequence, with the numbers that follow it after colons.
struct SequenceField {
  /// The number, or zero if it is missing.
  var value = 0
  var parts: [Int] = []

  /// Returns the fields of a sequence, or nil if there is anything but numbers.
  static func parse(_ body: ArraySlice<UInt8>) -> [SequenceField]? {
    if body.isEmpty { return [] }
    var fields = [SequenceField()]
    for byte in body {
      let last = fields.count - 1
      switch byte {
      case UInt8(ascii: ";"):
        fields.append(SequenceField())
      case UInt8(ascii: ":"):
        fields[last].parts.append(0)
      case 0x30...0x39:
        let digit = Int(byte) - 0x30
        if let part = fields[last].parts.indices.last {
          fields[last].parts[part] = grown(fields[last].parts[part], digit)
        } else {
          fields[last].value = grown(fields[last].value, digit)
        }
      default:
        return nil
      }
    }
    return fields
  }

  private static func grown(_ value: Int, _ digit: Int) -> Int {
    min(value, 1 << 24) * 10 + digit
  }
}
