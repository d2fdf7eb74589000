/// Wall-clock times in RFC 3339 format. They are written in UTC with nanoseconds, and read with any
/// offset.
package enum RFC3339 {
  /// Returns the text of a time. `1_600_000_000` becomes `2020-09-13T12:26:40.000000000Z`.
  package static func text(secondsSince1970 seconds: Int, nanoseconds: Int) -> String {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let date = civil(daysSince1970: days)
    let day = "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))"
    let time = "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))"
    return "\(day)T\(time).\(pad(nanoseconds, 9))Z"
  }

  /// Returns the Gregorian date of a number of days since 1970. The calculation uses eras of 400
  /// years that begin on March 1.
  private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Returns the nanoseconds since 1970 of a time such as `2020-09-13T12:26:40.123Z`, or of a time
  /// with an offset such as `+01:00`. A time without `Z` or an offset counts as UTC. Returns nil
  /// for any other text, and for years that do not fit.
  package static func nanoseconds(of text: String) -> Int? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[range] {
        guard byte &- 0x30 < 10 else { return nil }
        number = number * 10 + Int(byte - 0x30)
      }
      return number
    }
    func isAt(_ index: Int, _ letters: String) -> Bool {
      index < bytes.count && letters.utf8.contains(bytes[index])
    }
    guard let year = number(0..<4), isAt(4, "-"), let month = number(5..<7), isAt(7, "-"),
      let day = number(8..<10), isAt(10, "Tt "), let hour = number(11..<13), isAt(13, ":"),
      let minute = number(14..<16), isAt(16, ":"), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var index = 19
    var fraction = 0
    if isAt(index, ".") {
      var unit = 100_000_000
      index += 1
      guard number(index..<index + 1) != nil else { return nil }
      while let digit = number(index..<index + 1) {
        fraction += digit * unit
        unit /= 10
        index += 1
      }
    }
    var offset = 0
    if isAt(index, "+-") {
      guard let hours = number(index + 1..<index + 3), isAt(index + 3, ":"),
        let minutes = number(index + 4..<index + 6)
      else { return nil }
      offset = (hours * 3600 + minutes * 60) * (isAt(index, "-") ? -1 : 1)
      index += 6
    } else if isAt(index, "Zz") {
      index += 1
    }
    guard index == bytes.count else { return nil }
    let seconds =
      days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = product.addingReportingOverflow(fraction)
    return overflows || overflowsToo ? nil : sum
  }

  /// Returns the number of days from 1970 to a Gregorian date.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
