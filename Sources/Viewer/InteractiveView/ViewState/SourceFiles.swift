import TerminalUI
import TraceAnalysis
import ViewerConsole

/// The source files of the log that are below the current folder, and the lines of one of them.
struct SourceFiles: Sendable {
  /// The name of this computer in links.
  private let host: String
  /// The paths by the names of files in the log.
  private(set) var paths: [String: String] = [:]
  private var requested: Set<String> = []
  /// The place whose lines are shown, if its file was found.
  private(set) var wanted: SourcePlace?
  private var latest: SourceLines?

  init(host: String = "") {
    self.host = host
  }

  /// Returns the files that nobody looked for yet.
  mutating func request(_ files: [String]) -> Set<String> {
    let new = Set(files).subtracting(requested)
    requested.formUnion(new)
    return new
  }

  mutating func take(_ located: [String: String]) {
    paths.merge(located) { _, new in new }
  }

  /// Returns the path of a file whose lines must be read to show a place, or `nil` if they were
  /// requested already, or if the file wasn't found.
  mutating func want(_ place: SourcePlace?) -> String? {
    let path = place.flatMap { paths[$0.file] }
    guard let place, let path else {
      wanted = nil
      return nil
    }
    guard place != wanted else { return nil }
    wanted = place
    return latest?.place == place ? nil : path
  }

  mutating func take(_ excerpt: SourceLines) { latest = excerpt }

  /// The lines of the wanted place, after they were read.
  var excerpt: SourceLines? { latest?.place == wanted ? latest : nil }

  /// Returns the style with a link to a place of the log, if its file was found.
  func linked(_ style: Style, to source: String?) -> Style {
    guard let source, !paths.isEmpty else { return style }
    let place = ObservedPlace(source: source)
    guard let path = place.file.flatMap({ paths[$0] }) else { return style }
    var style = style
    style.link = Hyperlink(file: path, line: place.line, host: host)
    return style
  }
}

/// A few lines of a source file.
struct SourceLines: Equatable, Sendable {
  let place: SourcePlace
  /// The lines around the place. They are empty if the file does not have them.
  let lines: [String]
  /// The number of the first line.
  let first: Int

  /// The number of lines before and after the place.
  static let context = 2
  /// The maximum number of characters of a line.
  private static let maxColumns = 400

  init(_ place: SourcePlace, lines: [String], first: Int) {
    self.place = place
    self.lines = lines
    self.first = first
  }

  /// Takes the lines around a place out of the text of a file.
  init(_ place: SourcePlace, text: [UInt8]) {
    self.place = place
    first = max(1, place.line - Self.context)
    let (last, overflows) = place.line.addingReportingOverflow(Self.context)
    let found = overflows || last < first ? [] : SourceFileText(text).lines(first...last)
    let hasPlace = first + found.count > place.line
    lines =
      !hasPlace
      ? []
      : found.map { line in
        let text = String(decoding: line.prefix(4 * Self.maxColumns), as: UTF8.self)
        return String(text.prefix(Self.maxColumns))
      }
  }
}

/// A line of a source file, as a log names it.
struct SourcePlace: Equatable, Sendable {
  let file: String
  let line: Int

  init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// Creates a place from text such as `Module/File.swift:42`. Without a line, it is the first one.
  init(_ source: String) {
    let place = ObservedPlace(source: source)
    file = place.file ?? source
    line = place.line ?? 1
  }
}

/// The place that the key for the source opens.
enum SourceTarget: Equatable, Sendable {
  case place(SourcePlace)
  /// The source location of the lane of a subscription. The subscription is an index in the
  /// lifecycles.
  case lane(of: Int)
  /// The name of something that does not have a place.
  case nowhere(String)
  case nothing
}
