/// A mouse event in a terminal.
package struct MousePress: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A pressed button: 0 is the left one, 1 the middle one, 2 the right one.
    case press(button: Int)
    case drag(button: Int)
    case release(button: Int)
    case wheelUp, wheelDown
  }

  package let kind: Kind
  /// The column, counted from 0 at the left.
  package let column: Int
  /// The row, counted from 0 at the top.
  package let row: Int
  package var modifiers: KeyPress.Modifiers = []

  package init(kind: Kind, column: Int, row: Int, modifiers: KeyPress.Modifiers = []) {
    self.kind = kind
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}

extension MousePress {
  /// Creates a mouse event from `ESC [ < button ; column ; row M`, which ends with `m` if the
  /// button is released.
  ///
  /// Returns nil for moves without a button and for buttons without a function.
  package init?(report numbers: [Int], final: UInt8) {
    let isDown = final == UInt8(ascii: "M")
    guard isDown || final == UInt8(ascii: "m"), numbers.count == 3,
      numbers[1] >= 1, numbers[2] >= 1, numbers[0] < 128
    else { return nil }
    let bits = numbers[0]
    let button = bits & 3
    let kind: Kind
    switch (bits & 64 != 0, bits & 32 != 0) {
    case (true, _):
      guard isDown, button < 2 else { return nil }
      kind = button == 0 ? .wheelUp : .wheelDown
    case (false, let moved):
      guard button < 3 else { return nil }
      kind =
        isDown
        ? (moved ? .drag(button: button) : .press(button: button))
        : .release(button: button)
    }
    var modifiers: KeyPress.Modifiers = []
    if bits & 4 != 0 { modifiers.insert(.shift) }
    if bits & 8 != 0 { modifiers.insert(.alt) }
    if bits & 16 != 0 { modifiers.insert(.control) }
    self.init(kind: kind, column: numbers[1] - 1, row: numbers[2] - 1, modifiers: modifiers)
  }
}
