/// A parser that splits terminal output into characters and sequences.
package struct EmulatedInput {
  package enum Piece: Equatable {
    case scalar(Unicode.Scalar)
    case control(UInt8)
    /// The text after an escape, such as `7` or `(B`.
    case escape(String)
    /// The text after `ESC [`, including the final letter.
    case sequence(String)
    /// The text after an introducer such as `]`, without its terminator.
    case string(UInt8, String)
  }

  private enum State {
    case ground, escape, sequence, string(UInt8), stringEscape(UInt8)
  }

  private var state = State.ground
  private var bytes: [UInt8] = []

  package init() {}

  package mutating func take(_ byte: UInt8) -> Piece? {
    switch state {
    case .ground: return takeGround(byte)
    case .escape:
      switch byte {
      case 0x1B: bytes = []
      case UInt8(ascii: "["): begin(.sequence)
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
        begin(.string(byte))
      case 0x20...0x2F: bytes.append(byte)
      default:
        bytes.append(byte)
        return end(Piece.escape)
      }
    case .sequence:
      switch byte {
      case 0x1B: begin(.escape)
      case ..<0x20: return .control(byte)
      case 0x40...:
        bytes.append(byte)
        return end(Piece.sequence)
      default: bytes.append(byte)
      }
    case .string(let introducer):
      switch byte {
      case 0x07: return end { .string(introducer, $0) }
      case 0x1B: state = .stringEscape(introducer)
      default: bytes.append(byte)
      }
    case .stringEscape(let introducer):
      if byte == UInt8(ascii: "\\") { return end { .string(introducer, $0) } }
      begin(.escape)
      return take(byte)
    }
    return nil
  }

  private mutating func takeGround(_ byte: UInt8) -> Piece? {
    if byte == 0x1B {
      begin(.escape)
      return nil
    }
    if byte < 0x20 || byte == 0x7F { return .control(byte) }
    bytes.append(byte)
    let length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map(Piece.scalar)
  }

  private mutating func begin(_ next: State) {
    state = next
    bytes = []
  }

  private mutating func end(_ piece: (String) -> Piece) -> Piece {
    defer { begin(.ground) }
    return piece(String(decoding: bytes, as: UTF8.self))
  }
}
