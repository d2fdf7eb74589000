/// The names that programs give to Tasks.
package enum TaskName {
  /// The maximum length of a name, in bytes. Of a longer one, only the beginning is read.
  package static let maxLength = 512

  /// Returns the beginning of a text that was cut, with an ellipsis.
  package static func cut(_ bytes: [UInt8]) -> String {
    // The bytes of a character that was cut begin at the last byte that begins a character.
    let end = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }

  /// The beginning of the names of canaries: Tasks that are started to check that Tasks are found
  /// as they are.
  package static let prefixOfCanaries = "TaskInspection canary "

  /// Returns whether a name is that of a canary.
  package static func isOfCanary(_ name: String) -> Bool { name.hasPrefix(prefixOfCanaries) }
}
