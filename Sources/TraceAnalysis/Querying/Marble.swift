package import TraceFormat

/// Elements of a subscription that stand near each other in time: one, or as many as are counted together.
package struct Marble: Equatable, Sendable {
  /// Of the first of them.
  package private(set) var time = Nanoseconds.zero
  package private(set) var count = 0
  /// The texts of the first few, in the order of their times.
  package private(set) var texts: [String] = []
  private var times: [Nanoseconds] = []

  /// Of more texts than these no picture shows any.
  package static let mostTexts = 4
  /// More of a text than any picture shows, in bytes.
  static let longestText = 512

  package init() {}

  mutating func add(_ element: Nanoseconds, _ text: RawText?) {
    time = count == 0 ? element : min(time, element)
    count += 1
    // One that comes last among enough of them needs no text.
    guard texts.count < Marble.mostTexts || element < times[times.count - 1] else { return }
    insert(element, text.map(Marble.beginning) ?? "")
  }

  /// Adds what a stretch behind has of the same place.
  mutating func append(_ next: Marble) {
    guard next.count > 0 else { return }
    time = count == 0 ? next.time : min(time, next.time)
    count += next.count
    for (time, text) in zip(next.times, next.texts) { insert(time, text) }
  }

  /// Behind those of the same time, which stand before it in the log.
  private mutating func insert(_ element: Nanoseconds, _ text: String) {
    let place = times.lastIndex { $0 <= element }.map { $0 + 1 } ?? 0
    guard place < Marble.mostTexts else { return }
    times.insert(element, at: place)
    texts.insert(text, at: place)
    if texts.count > Marble.mostTexts {
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
