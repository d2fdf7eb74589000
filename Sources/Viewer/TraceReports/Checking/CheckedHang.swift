import TerminalUI
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
  let name: String
  let isTest: Bool
  /// What is known, in one sentence.
  let sentence: String
  /// Who waits for whom, as lines of text.
  let details: String
  /// The place to look at, or nil if it isn't known.
  let location: CheckedGroup.Location?
  let function: String?
  /// A Boolean value that indicates whether nothing can end the wait.
  let isProven: Bool

  /// The files of the places, by the names that a locator of sources takes.
  static func files(of hang: RunHang?) -> Set<String> {
    Set(hang?.findings.compactMap { $0.hang.places.first.flatMap(source)?.file } ?? [])
  }

  static func all(of hang: RunHang?, _ sources: SourceLocator) -> [CheckedHang] {
    guard let hang, hang.limit != nil else { return [] }
    let page = CheckedGroup.page
    let limit = page.safe(hang.sentence(page))
    let details = page.text(hang.lines(page, isFull: false))
    let hangs = hang.findings.map { found, sentence -> CheckedHang in
      let place = found.places.first
      let location = place.flatMap(source).map {
        CheckedGroup.Location(path: sources.path(ofSource: $0.file), line: $0.line)
      }
      return CheckedHang(
        name: page.safe(found.test ?? hang.command), isTest: found.test != nil,
        sentence: limit + " " + page.safe(sentence), details: details, location: location,
        function: place?.function.map(page.safe), isProven: found.isProven)
    }
    guard hangs.isEmpty else { return hangs }
    return [
      CheckedHang(
        name: page.safe(hang.command), isTest: false, sentence: limit + " The cause isn't known.",
        details: details, location: nil, function: nil, isProven: false)
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
