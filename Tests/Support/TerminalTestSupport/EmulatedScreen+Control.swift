extension EmulatedScreen {
  mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x07: bells += 1
    case 0x08: moveTo(column: min(cursor.column, columns - 1) - 1)
    case 0x09: moveTo(column: (cursor.column / 8 + 1) * 8)
    case 0x0A: lineFeed()
    case 0x0D: cursor.column = 0
    // The default character set.
    case 0x0F: break
    default: unknown.append("\\x" + String(byte, radix: 16))
    }
  }

  mutating func escape(_ text: String) {
    switch text {
    case "7": savedCursor = cursor
    case "8": cursor = savedCursor
    case "D": lineFeed()
    case "M":
      if cursor.row == scrolled.lowerBound { scroll(-1) } else { cursor.row -= 1 }
    case "c": self = EmulatedScreen(columns: columns, rows: rows, widths: widths)
    // Keypad modes, character sets, and a terminator without a string.
    case "=", ">", "(B", ")0", "\\": break
    default: unknown.append("ESC " + text)
    }
  }

  mutating func string(_ introducer: UInt8, _ text: String) {
    guard introducer == UInt8(ascii: "]") else { return }
    let fields = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
    switch fields.first {
    case "0", "2": title = fields.dropFirst().joined(separator: ";")
    case "52" where fields.count == 3: clipboard.append(String(fields[2]))
    default: break
    }
  }

  mutating func sequence(_ text: String) {
    let final = text.last ?? "m"
    let body = text.dropLast()
    if body.first == "?" { return privateMode(body.dropFirst(), final, text) }
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? 0 : Int($0) }
    guard !numbers.contains(nil) else {
      return unknown.append("CSI " + text)
    }
    let values = numbers.compactMap { $0 }
    let first = values.first ?? 0
    let count = max(1, first)
    switch final {
    case "A": moveTo(row: cursor.row - count)
    case "B": moveTo(row: cursor.row + count)
    case "C": moveTo(column: min(cursor.column, columns - 1) + count)
    case "D": moveTo(column: min(cursor.column, columns - 1) - count)
    case "G": moveTo(column: count - 1)
    case "d": moveTo(row: count - 1)
    case "H", "f":
      moveTo(row: count - 1)
      moveTo(column: max(1, values.dropFirst().first ?? 1) - 1)
    case "J": eraseRows(first)
    case "K": eraseColumns(first)
    case "X":
      erase(row: cursor.row, from: place, to: place + count)
    case "L": scroll(-count, from: cursor.row)
    case "M": scroll(count, from: cursor.row)
    case "S": scroll(count)
    case "T": scroll(-count)
    case "m":
      let strange = look.apply(values.isEmpty ? [0] : values)
      unknown += strange.map { "CSI \($0)m" }
    case "r":
      let last = values.dropFirst().first ?? rows
      scrolled = min(count - 1, rows - 1)...max(min(count - 1, rows - 1), min(last, rows) - 1)
      cursor = Position()
    // Insert mode off. The emulator doesn't support insert mode.
    case "l" where values == [4]: break
    default: unknown.append("CSI " + text)
    }
  }

  /// The column in which the cursor appears.
  private var place: Int { min(cursor.column, columns - 1) }

  private mutating func moveTo(row: Int) {
    cursor.row = min(max(0, row), rows - 1)
  }

  private mutating func moveTo(column: Int) {
    cursor.column = min(max(0, column), columns - 1)
  }

  private mutating func eraseColumns(_ part: Int) {
    switch part {
    case 0: erase(row: cursor.row, from: place, to: columns)
    case 1: erase(row: cursor.row, from: 0, to: place + 1)
    default: erase(row: cursor.row, from: 0, to: columns)
    }
  }

  private mutating func eraseRows(_ part: Int) {
    if part < 2 { eraseColumns(part) }
    let others = part == 0 ? cursor.row + 1..<rows : part == 1 ? 0..<cursor.row : 0..<rows
    for row in others { erase(row: row, from: 0, to: columns) }
  }

  private mutating func privateMode(_ body: Substring, _ final: Character, _ text: String) {
    let numbers = body.split(separator: ";").compactMap { Int($0) }
    guard final == "h" || final == "l", !numbers.isEmpty else {
      return unknown.append("CSI " + text)
    }
    for number in numbers {
      if number == 1049 { setAlternate(final == "h") }
      if number == 2026, final == "l", modes.contains(2026) { updates += 1 }
      if final == "h" { modes.insert(number) } else { modes.remove(number) }
    }
  }

  private mutating func setAlternate(_ isOn: Bool) {
    if isOn, mainCells == nil {
      mainCells = cells
      savedCursor = cursor
      cells = Self.empty(columns, rows)
    } else if !isOn, let main = mainCells {
      cells = main
      mainCells = nil
      cursor = savedCursor
    }
  }
}
