import TerminalUI

/// A formatter for key names in help and hints.
enum KeyName {
  static func of(_ press: KeyPress, isASCII: Bool) -> String {
    var name = base(press.key, isASCII)
    if press.modifiers.contains(.control) { name = "^" + name.uppercased() }
    if press.modifiers.contains(.alt) { name = "Alt-" + name }
    if press.modifiers.contains(.shift) { name = "Shift-" + name }
    return name
  }

  private static func base(_ key: KeyPress.Key, _ isASCII: Bool) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .enter: "Enter"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: isASCII ? "Up" : "↑"
    case .down: isASCII ? "Down" : "↓"
    case .left: isASCII ? "Left" : "←"
    case .right: isASCII ? "Right" : "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}
