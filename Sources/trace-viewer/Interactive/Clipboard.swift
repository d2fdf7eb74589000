import TerminalUI

/// The clipboard of the user at the terminal, accessed with OSC 52. It also works over ssh.
enum Clipboard {
  /// The approximate maximum size in bytes that terminals accept.
  static let mostBytes = 74_000

  static func sequence(_ text: String) -> String {
    var end = text.utf8.count
    var cut = text
    while end > mostBytes {
      cut = String(cut.prefix(cut.count * mostBytes / end))
      end = cut.utf8.count
    }
    return "\u{1B}]52;c;\(Base64.text(Array(cut.utf8)))\u{07}"
  }
}
