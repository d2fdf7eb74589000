/// A parser that turns the bytes from a terminal into keys, mouse events and pastes. The bytes may
/// come in any pieces.
///
/// The parser discards answers of the terminal and unreadable sequences as a whole. If a piece of
/// one were taken for keys, it would trigger a command that the user did not give.
package struct KeyParser: Sendable {
  private enum State {
    case ground
    case escape
    /// Inside the bytes of one character.
    case character(UTF8Piece)
    case control(ControlSequence)
    /// After `ESC [ [`, which begins the first function keys of the Linux console.
    case console
    /// Inside three bytes that may have any value: a mouse event in the oldest form.
    case oldMouse(left: Int)
    /// Inside a string that ends with `ESC \` or BEL. Only its length matters.
    case string(introducer: UInt8, length: Int)
    /// After an escape in a string.
    case stringEscape
    case paste
  }

  /// The maximum number of bytes in a string. At this length, the string ends even without its end
  /// mark.
  private static let longestString = 1 << 20

  private var state = State.ground
  /// A Boolean value that indicates whether an escape came before the current input.
  private var isAlt = false
  /// The text of a paste. It is not a part of the state, so that it is not copied for every byte.
  private var pasted = PastedText()

  package init() {}

  /// A Boolean value that indicates whether later bytes may complete the current input. If none
  /// come for about 30 ms, call `flush()`.
  package var isPending: Bool {
    if case .ground = state { return false }
    return true
  }

  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    var inputs: [TerminalInput] = []
    for byte in bytes { take(byte, &inputs) }
    return inputs
  }

  /// Ends the current input, because nothing more came for a while. A lone escape becomes the
  /// escape key. An escape with one of the bytes `[`, `O`, `]`, `P`, `_`, `^` and `X` becomes that
  /// key with alt. Other incomplete input is discarded.
  ///
  /// Only a paste continues over pauses, because its second half must not be taken for keys. It
  /// ends after `PastedText.maxPauses` calls in a row.
  package mutating func flush() -> [TerminalInput] {
    if case .paste = state { return pasted.pause() ? [] : [endPaste()] }
    defer { reset() }
    switch state {
    case .escape:
      let escape = TerminalInput.key(KeyPress(.escape))
      return isAlt ? [escape, escape] : [escape]
    // Alt with this key sends exactly the bytes so far.
    case .control(let sequence) where sequence.isEmpty: return alt(sequence.introducer)
    case .string(let introducer, length: 0): return alt(introducer)
    default: return []
    }
  }

  private mutating func endPaste() -> TerminalInput {
    defer { pasted = PastedText() }
    reset()
    return .paste(pasted.text)
  }

  private func alt(_ byte: UInt8) -> [TerminalInput] {
    [.key(KeyPress(Character(Unicode.Scalar(byte)), .alt))]
  }

  private mutating func reset() {
    state = .ground
    isAlt = false
  }

  private mutating func take(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    switch state {
    case .ground: takeGround(byte, &inputs)
    case .escape: takeEscape(byte, &inputs)
    case .character(let piece): takeCharacter(byte, piece, &inputs)
    case .control(let sequence): takeControl(byte, sequence, &inputs)
    case .console:
      let isFunction = (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte)
      end(with: isFunction ? KeyPress(.function(Int(byte) - 0x40)) : nil, &inputs)
    case .oldMouse(let left):
      if left > 1 { state = .oldMouse(left: left - 1) } else { reset() }
    case .string(let introducer, let length): takeString(byte, introducer, length, &inputs)
    case .stringEscape:
      state = .escape
      isAlt = false
      if byte == UInt8(ascii: "\\") { reset() } else { takeEscape(byte, &inputs) }
    case .paste:
      if pasted.append(byte) { inputs.append(endPaste()) }
    }
  }

  private mutating func end(with press: KeyPress?, _ inputs: inout [TerminalInput]) {
    if var press {
      if isAlt { press.modifiers.insert(.alt) }
      inputs.append(.key(press))
    }
    reset()
  }

  private mutating func takeGround(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    if byte == 0x1B {
      state = .escape
    } else if byte < 0x80 {
      end(with: KeyPress(byte: byte), &inputs)
    } else if let piece = UTF8Piece(first: byte) {
      state = .character(piece)
    } else {
      reset()
    }
  }

  private mutating func takeEscape(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    switch byte {
    case 0x1B:
      // rxvt sends an escape before the sequence of a key that is pressed with alt.
      if isAlt { inputs.append(.key(KeyPress(.escape))) }
      isAlt = true
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = .control(ControlSequence(introducer: byte))
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      state = .string(introducer: byte, length: 0)
    default:
      // The last escape belongs to this key. The one before it was a key of its own.
      if isAlt { inputs.append(.key(KeyPress(.escape))) }
      isAlt = true
      state = .ground
      takeGround(byte, &inputs)
    }
  }

  private mutating func takeCharacter(
    _ byte: UInt8, _ piece: UTF8Piece, _ inputs: inout [TerminalInput]
  ) {
    guard byte & 0xC0 == 0x80 else {
      reset()
      return takeGround(byte, &inputs)
    }
    switch piece.adding(byte) {
    case .more(let piece): state = .character(piece)
    case .scalar(let scalar): end(with: KeyPress(Character(scalar)), &inputs)
    case .invalid: reset()
    }
  }

  private mutating func takeControl(
    _ byte: UInt8, _ sequence: ControlSequence, _ inputs: inout [TerminalInput]
  ) {
    var sequence = sequence
    guard (0x20...0x7E).contains(byte) else {
      reset()
      // Cancel and substitute only end the sequence.
      if byte != 0x18, byte != 0x1A { takeGround(byte, &inputs) }
      return
    }
    if sequence.isStart(byte, UInt8(ascii: "[")) {
      state = .console
    } else if sequence.isStart(byte, UInt8(ascii: "M")) {
      state = .oldMouse(left: 3)
    } else if sequence.isFinal(byte) {
      takeComplete(sequence, final: byte, &inputs)
    } else {
      sequence.append(byte)
      state = .control(sequence)
    }
  }

  private mutating func takeComplete(
    _ sequence: ControlSequence, final: UInt8, _ inputs: inout [TerminalInput]
  ) {
    let pressed = isAlt
    reset()
    if sequence.beginsPaste(final) {
      state = .paste
      return
    }
    for var input in sequence.inputs(final: final) {
      if pressed, case .key(var press) = input {
        press.modifiers.insert(.alt)
        input = .key(press)
      }
      inputs.append(input)
    }
  }

  private mutating func takeString(
    _ byte: UInt8, _ introducer: UInt8, _ length: Int, _ inputs: inout [TerminalInput]
  ) {
    switch byte {
    case 0x07, 0x18, 0x1A: reset()
    case 0x1B: state = .stringEscape
    case ..<0x20:
      // No answer contains such a byte. It is a key, and the string has no end.
      reset()
      takeGround(byte, &inputs)
    default:
      if length >= Self.longestString { return reset() }
      state = .string(introducer: introducer, length: length + 1)
    }
  }
}

/// The first bytes of a character that arrives in pieces.
struct UTF8Piece: Sendable {
  enum Step {
    case more(UTF8Piece)
    case scalar(Unicode.Scalar)
    case invalid
  }

  private var value: UInt32
  private var left: Int
  private let smallest: UInt32

  /// Creates a piece, or returns nil if no character begins with this byte.
  init?(first byte: UInt8) {
    switch byte {
    case 0xC2...0xDF: (value, left, smallest) = (UInt32(byte & 0x1F), 1, 0x80)
    case 0xE0...0xEF: (value, left, smallest) = (UInt32(byte & 0x0F), 2, 0x800)
    case 0xF0...0xF4: (value, left, smallest) = (UInt32(byte & 0x07), 3, 0x10000)
    default: return nil
    }
  }

  /// Returns the result of adding a byte of the form 10xxxxxx.
  func adding(_ byte: UInt8) -> Step {
    var next = self
    next.value = value << 6 | UInt32(byte & 0x3F)
    next.left -= 1
    if next.left > 0 { return .more(next) }
    // Control characters in this form are not keys.
    guard next.value >= max(smallest, 0xA0), let scalar = Unicode.Scalar(next.value) else {
      return .invalid
    }
    return .scalar(scalar)
  }
}

/// The text between the two marks that a terminal puts around a paste.
struct PastedText: Sendable {
  /// The maximum number of bytes. Longer text is cut, because no field takes that much.
  static let maxBytes = 1 << 20
  /// The number of calls of `flush()` without a byte in between, about two seconds, after which the
  /// parser stops waiting for the closing mark.
  static let maxPauses = 64

  private static let end = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  /// The number of bytes of the closing mark that came last.
  private var matched = 0
  private var pauses = 0

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Adds a byte. Returns true if it was the last byte of the closing mark.
  mutating func append(_ byte: UInt8) -> Bool {
    pauses = 0
    if byte == Self.end[matched] {
      matched += 1
      return matched == Self.end.count
    }
    // Only the first byte of the mark is an escape, so no mark begins within the matched bytes.
    for kept in Self.end[..<matched] { keep(kept) }
    matched = byte == Self.end[0] ? 1 : 0
    if matched == 0 { keep(byte) }
    return false
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < Self.maxBytes { bytes.append(byte) }
  }

  /// Counts a pause. Returns true if the parser should keep waiting.
  mutating func pause() -> Bool {
    pauses += 1
    return pauses < Self.maxPauses
  }
}

/// An input from a terminal.
package enum TerminalInput: Hashable, Sendable {
  case key(KeyPress)
  case mouse(MousePress)
  /// Pasted text, unchanged. Nobody typed it, so nothing in it is a command.
  case paste(String)
}
