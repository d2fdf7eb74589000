import TerminalUI
import TraceAnalysis
import ViewerConsole

/// The name of something with its place in the source, on one line that may be narrow.
///
/// The place is the most important part, because that is where the user goes next. Its line number
/// is never cut off.
struct PlacedText: Equatable {
  var title: String
  /// What is known about it, such as `completed after 26 ms`, with the most important first.
  var facts: [String]
  /// Text such as `Shop/Search.swift:23`.
  var place: String?

  static let gap = "  "
  /// The number of columns to which a title is shortened before facts are left out.
  private static let minTitle = 16

  var pieces: [String] { [title] + facts + [place].compactMap(\.self) }

  private var columns: Int {
    pieces.reduce(-Self.gap.count) { $0 + DisplayWidth.columns(of: $1) + Self.gap.count }
  }

  /// The number of columns in which the place and a part of the title fit, without the facts.
  var minWidth: Int {
    let title = min(DisplayWidth.columns(of: title), Self.minTitle)
    return title + (place.map { DisplayWidth.columns(of: $0) + Self.gap.count } ?? 0)
  }

  /// Returns the text, shortened to a number of columns: first without the folders of the file,
  /// then with a shorter title, without facts, and with a shorter name of the file.
  func fit(to width: Int, _ page: Page) -> PlacedText {
    var text = self
    if text.columns > width, let place { text.place = Self.withoutFolders(place) }
    text.shortenTitle(to: width, page)
    while text.columns > width, !text.facts.isEmpty {
      text.facts.removeLast()
      text.title = title
      text.shortenTitle(to: width, page)
    }
    guard text.columns > width, let place = text.place else { return text }
    let titleWidth = DisplayWidth.columns(of: text.title) + Self.gap.count
    text.place = Self.fit(place, to: max(1, width - titleWidth), page)
    return text
  }

  private mutating func shortenTitle(to width: Int, _ page: Page) {
    let room = DisplayWidth.columns(of: title) - max(0, columns - width)
    title = page.cutMiddle(title, to: max(Self.minTitle, room))
  }

  /// Returns a place without its folders, which is enough in a list. The detail has the whole path.
  static func withoutFolders(_ source: String) -> String {
    guard ObservedPlace(source: source).line != nil, let slash = source.lastIndex(of: "/") else {
      return source
    }
    return String(source[source.index(after: slash)...])
  }

  /// Returns a place that fits into a number of columns: without its folders, or with a shorter
  /// file name. Its line number stays whole.
  static func fit(_ place: String, to width: Int, _ page: Page) -> String {
    guard DisplayWidth.columns(of: place) > width else { return place }
    let place = withoutFolders(place)
    guard ObservedPlace(source: place).line != nil, let colon = place.lastIndex(of: ":") else {
      return page.cutMiddle(place, to: width)
    }
    let line = place[colon...]
    let room = max(1, width - DisplayWidth.columns(of: String(line)))
    return page.cutMiddle(String(place[..<colon]), to: room) + line
  }
}
