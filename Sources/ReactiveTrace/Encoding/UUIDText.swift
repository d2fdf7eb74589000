import TraceFormat

/// Foundation's UUID, without Foundation: 16 bytes that are written as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
enum UUIDText {
  static func isUUID<Value>(_ type: Value.Type) -> Bool {
    guard MemoryLayout<Value>.size == 16, _isPOD(type) else { return false }
    let name = String(reflecting: type)
    return name == "Foundation.UUID" || name == "FoundationEssentials.UUID"
  }

  static func write<Value>(_ value: Value, to text: inout TextBuffer) {
    withUnsafeBytes(of: value) { bytes in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { digits in
        var place = 0
        for (index, byte) in bytes.enumerated() {
          if [4, 6, 8, 10].contains(index) {
            digits[place] = UInt8(ascii: "-")
            place += 1
          }
          digits[place] = hexadecimal(byte >> 4)
          digits[place + 1] = hexadecimal(byte & 15)
          place += 2
        }
        text.append(UnsafeBufferPointer(digits))
      }
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}
