import SwiftRuntime
import TraceFormat

/// Functions that write Foundation's UUID from its 16 bytes without Foundation, such as
/// `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
enum UUIDText {
  static func isUUID(_ type: Any.Type) -> Bool {
    let address = Metadata.address(of: type)
    guard Metadata.kind(at: address) == Metadata.Kind.structType,
      let witnesses = ValueWitnesses(address), witnesses.size == 16, !witnesses.hasReferences
    else { return false }
    let name = String(reflecting: type)
    return name == "Foundation.UUID" || name == "FoundationEssentials.UUID"
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to text: inout TextBuffer) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { digits in
      var offset = 0
      for (index, byte) in bytes.enumerated() {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          digits[offset] = UInt8(ascii: "-")
          offset += 1
        }
        digits[offset] = hexadecimal(byte >> 4)
        digits[offset + 1] = hexadecimal(byte & 15)
        offset += 2
      }
      text.append(UnsafeBufferPointer(digits))
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}
