/// A formatter for counts of things: `1,204 records`, `1 record`.
package enum CountText {
  package static func number(_ count: some BinaryInteger) -> String {
    let digits = String(count)
    guard digits.utf8.count > 3 else { return digits }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  package static func make(_ count: some BinaryInteger, _ one: String, _ many: String? = nil)
    -> String
  {
    "\(number(count)) \(count == 1 ? one : many ?? one + "s")"
  }
}
