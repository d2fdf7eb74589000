import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// The subscriptions of an excerpt as JSON for a reader with little room, without their values.
///
///     matches                     their number
///     subscriptions               the active ones first, then in the order of time: id, lane,
///                                 place, function, state, since, age, elements, the id of the
///                                 finding about it, and the lane that it was made for
package struct BriefSubscriptions {
  private let excerpt: LogExcerpt
  private let sources: SourceLocator
  /// The ids of findings by the index of a lifecycle.
  private let findings: [Int: FindingID]

  private static let page = Page(width: 100, glyphs: .unicode)
  private static let columns = 80

  private var log: LogAnalysis { excerpt.log }

  package init(_ excerpt: LogExcerpt, _ verdict: Verdict, _ console: Console) {
    self.excerpt = excerpt.ofSubscriptions
    let log = excerpt.log
    let members = self.excerpt.members
    let files = Set(
      members.compactMap { index -> String? in
        let lifecycle = log.lifecycles[index]
        return log.observed(of: lifecycle)?.file ?? lifecycle.site.file
      })
    sources = SourceLocator(files, in: console.directory, exists: console.fileExists)
    var findings: [Int: FindingID] = [:]
    for group in verdict.groups {
      for index in group.findings.map(\.lifecycle) + group.consequences
      where findings[index] == nil {
        findings[index] = group.id
      }
    }
    self.findings = findings
  }

  /// Returns a JSON object on one line.
  ///
  /// - Parameter tokens: The maximum number of tokens.
  package func text(tokens: Int) -> String {
    let all = excerpt.members
    let active = all.filter { log.lifecycles[$0].isActive }
    let members = active + all.filter { !log.lifecycles[$0].isActive }
    return BriefLists(
      head: { $0.integer("matches", members.count) },
      lists: [.init(key: "subscriptions", count: members.count) { entry(members[$0]) }]
    ).text(tokens: tokens)
  }

  private func entry(_ index: Int) -> String {
    let lifecycle = log.lifecycles[index]
    let location = FindingLocation(of: index, in: log, sources)
    let cut = { (text: String) in Self.page.cutMiddle(Self.page.safe(text), to: Self.columns) }
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("id", cut(log.name(of: lifecycle)))
      json.string("lane", cut(lifecycle.site.lane))
      json.string("place", "\(cut(location.path)):\(location.line)")
      if let function = log.observed(of: lifecycle)?.function ?? lifecycle.site.function {
        json.string("function", cut(function))
      }
      json.string("state", "\(lifecycle.state)")
      json.string("since", Self.page.duration(lifecycle.start))
      json.string("age", Self.page.duration(log.age(of: lifecycle)))
      json.integer("elements", lifecycle.elements)
      if let finding = findings[index] { json.string("finding", finding.description) }
      if let parent = log.ancestors(of: lifecycle, maxCount: 1).first {
        json.string("madeFor", cut(log.lifecycles[parent].site.lane))
      }
    }
    return json.text
  }
}
