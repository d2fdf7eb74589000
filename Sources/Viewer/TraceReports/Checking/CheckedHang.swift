import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

/// A hang as the output formats of a check show it: one for each test that waits, or one for the
/// command.
struct CheckedHang {
  /// The name of the rule in formats that need one.
  static let rule = "hang"
  /// The sentence that explains the rule.
  static let summary = "A command hangs."
  /// What the rule looks for and what to do, in sentences.
  static let explanation = """
    The command exceeded a time limit of trace-viewer run. The message names the running test, \
    what it waits for, and the line of the wait. Make sure that whatever the line waits for \
    happens in every case: each continuation is resumed, each stream is finished, and no tasks or \
    threads wait for each other.
    """

  /// The test, or else the command.
  var name: String { names[0] }
  /// The tests that hang in the same place for the same cause, or the command.
  let names: [String]
  let isTest: Bool
  /// What is known, in one sentence.
  let sentence: String
  /// The cause and who waits for whom in it, as lines of text.
  let details: String
  /// The lines to look at, the most important first.
  let places: [String]
  /// The place to look at, or nil if it isn't known.
  let location: CheckedGroup.Location?
  let function: String?
  /// A Boolean value that indicates whether nothing can end the wait.
  let isProven: Bool
  /// When the inspection began, as in the header of its log.
  let started: String?

  /// The name, with the number of the others.
  var title: String {
    names.count > 1 ? "\(name) and \(CountText.make(names.count - 1, "other test"))" : name
  }

  /// The sentence and the most important places, in few lines.
  var brief: String {
    let page = CheckedGroup.page
    return ([sentence] + places.prefix(Self.maxPlaces)).map {
      page.cutMiddle($0, to: Self.maxColumns)
    }.joined(separator: "\n")
  }

  private static let maxPlaces = 3
  private static let maxColumns = 800
  /// The maximum number of lines of the details.
  private static let maxLines = 12

  /// The files of the places, by the names that a locator of sources takes.
  static func files(of hang: RunHang?) -> Set<String> {
    Set(hang?.causes.compactMap { $0.hang.places.first.flatMap(source)?.file } ?? [])
  }

  static func all(of hang: RunHang?, _ sources: SourceLocator) -> [CheckedHang] {
    guard let hang, hang.limit != nil else { return [] }
    let page = CheckedGroup.page
    let limit = page.safe(hang.sentence(page))
    let hangs = hang.paths(page, room: maxLines).map { group, path -> CheckedHang in
      let place = group.hang.places.first
      let location = place.flatMap(source).map {
        CheckedGroup.Location(path: sources.path(ofSource: $0.file), line: $0.line)
      }
      return CheckedHang(
        names: (group.tests.isEmpty ? [hang.command] : group.tests).map(page.safe),
        isTest: !group.tests.isEmpty, sentence: limit + " " + page.safe(group.sentence),
        details: page.text(path), places: group.hang.places.compactMap(\.source).map(page.safe),
        location: location, function: place?.function.map(page.safe),
        isProven: group.hang.isProven, started: group.log.header?.started)
    }
    guard hangs.isEmpty else { return hangs }
    return [
      CheckedHang(
        names: [page.safe(hang.command)], isTest: false,
        sentence: limit + " " + page.safe(hang.phase),
        details: page.text(Array(hang.lines(page, isFull: false).prefix(maxLines))), places: [],
        location: nil, function: nil, isProven: false, started: hang.started)
    ]
  }

  /// Returns the file and the line of a place, from text such as `Module/File.swift:42`.
  private static func source(_ place: UnfinishedTask.Call) -> (file: String, line: Int)? {
    guard let source = place.source, let colon = source.lastIndex(of: ":"),
      let line = Int(source[source.index(after: colon)...])
    else { return nil }
    return (String(source[..<colon]), line)
  }
}

extension Page {
  /// Returns lines without styles.
  fileprivate func text(_ lines: [Line]) -> String {
    lines.map { $0.text + "\n" }.joined()
  }
}
