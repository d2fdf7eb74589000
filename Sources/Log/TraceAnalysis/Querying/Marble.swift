package import TraceFormat

/// Elements of a subscription that are near each other in time: one element, or several that are
/// counted together.
package struct Marble: Equatable, Sendable {
  /// The time of the first element.
  package private(set) var time = Nanoseconds.zero
  package private(set) var count = 0
  /// The text of each of the first few elements, in the order of their times.
  package private(set) var texts: [String] = []
  private var times: [Nanoseconds] = []

  /// The maximum number of strings in `texts`. No picture shows more.
  package static let maxTexts = 4
  /// The maximum length of a string in bytes. It is more than any picture shows.
  static let longestText = 512

  package init() {}

  mutating func add(_ element: Nanoseconds, _ text: RawText?) {
    time = count == 0 ? element : min(time, element)
    count += 1
    // The text of an element that comes last isn't needed if there are enough before it.
    guard texts.count < Marble.maxTexts || element < times[times.count - 1] else { return }
    insert(element, text.map(Marble.beginning) ?? "")
  }

  /// Adds the elements that the following part has in the same time step.
  mutating func append(_ next: Marble) {
    guard next.count > 0 else { return }
    time = count == 0 ? next.time : min(time, next.time)
    count += next.count
    for (time, text) in zip(next.times, next.texts) { insert(time, text) }
  }

  /// Inserts an element after those with the same time, which precede it in the log.
  private mutating func insert(_ element: Nanoseconds, _ text: String) {
    let index = times.lastIndex { $0 <= element }.map { $0 + 1 } ?? 0
    guard index < Marble.maxTexts else { return }
    times.insert(element, at: index)
    texts.insert(text, at: index)
    if texts.count > Marble.maxTexts {
      times.removeLast()
      texts.removeLast()
    }
  }

  static func beginning(of text: RawText) -> String {
    RawText(
      start: text.start, count: min(text.count, longestText), isEscaped: text.isEscaped
    ).string
  }
}
