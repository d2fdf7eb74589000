import TerminalUI
import ViewerConsole

/// A list of a report, of which as much is shown as there is room for.
struct BoundedList {
  var title: Line?
  /// The word for one of the things that the entries are about, such as "task".
  let noun: String
  /// The numbers of things that the entries stand for.
  let counts: [Int]
  /// Returns the lines of an entry.
  let entry: (Int) -> [Line]

  /// Returns the title and the first entries. The last line has the number of missing things.
  ///
  /// - Parameter room: The maximum number of lines, which is at least 3.
  func lines(room: Int) -> [Line] {
    guard !counts.isEmpty else { return [] }
    var lines = [title].compactMap(\.self)
    for number in counts.indices {
      let entry = entry(number)
      let rest = counts[number...].reduce(0, +)
      let isLast = number == counts.count - 1
      if lines.count + entry.count + (isLast ? 0 : 1) <= room {
        lines += entry
      } else if number == 0 {
        lines += entry.prefix(room - 2)
        return lines + [Line("  +more (--full)", .dim)]
      } else {
        return lines + [Line("  +\(CountText.make(rest, "more \(noun)")) (--full)", .dim)]
      }
    }
    return lines
  }
}
