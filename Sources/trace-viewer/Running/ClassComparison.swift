#if os(Linux)
  import SystemLibrary
  import TerminalUI
  import TraceAnalysis
  import TraceFormat
  import TraceReports
  import ViewerConsole

  /// The classes of which a process has more objects than in an earlier search.
  struct ClassComparison {
    private let earlier: [String: LeakedObjects.Class]
    private let path: String
    private static let maxClasses = 20

    /// Reads the numbers that `--save` wrote.
    init(_ path: String, _ console: Console) throws(RunFailure) {
      let opened = OpenedLogs([(path, nil)], console)
      let classes = opened.analysis.logs.flatMap(\.instances).flatMap(\.classes)
      guard !classes.isEmpty else {
        throw RunFailure(
          .notALog,
          "'\(RawPath.shown(path))' has no numbers of objects. 'leaks --save' writes such a file."
        )
      }
      self.path = path
      earlier = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: Self.sum)
    }

    private static func sum(
      _ one: LeakedObjects.Class, _ other: LeakedObjects.Class
    ) -> LeakedObjects.Class {
      LeakedObjects.Class(
        name: one.name, count: one.count + other.count, bytes: one.bytes + other.bytes)
    }

    func lines(_ classes: [LeakedObjects.Class], _ page: Page) -> [Line] {
      let now = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: Self.sum)
      let grown = now.values.compactMap {
        item -> (item: LeakedObjects.Class, more: Int, bytes: Int)? in
        let before = earlier[item.name]
        let more = item.count - (before?.count ?? 0)
        return more > 0 ? (item, more, item.bytes - (before?.bytes ?? 0)) : nil
      }.sorted { ($1.bytes, $0.item.name) < ($0.bytes, $1.item.name) }
      guard !grown.isEmpty else {
        return [Line("No class has more objects than in \(page.safe(RawPath.shown(path))).")]
      }
      let title = "Classes with more objects than in \(page.safe(RawPath.shown(path))):"
      let rows = grown.prefix(Self.maxClasses).map { entry in
        let name = page.cutMiddle(page.safe(entry.item.name), to: max(8, page.width / 2))
        let count = CountText.number(entry.item.count)
        return Line(
          "  +\(CountText.number(entry.more))  \(name)  "
            + "(\(count) now, +\(CountText.make(entry.bytes, "byte")))")
      }
      let rest = grown.count - rows.count
      return [Line(title)] + rows
        + (rest > 0 ? [Line("  and \(CountText.make(rest, "other class", "other classes"))")] : [])
    }
  }
#endif
