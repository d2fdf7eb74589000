import TerminalUI
package import TraceAnalysis
import TraceFormat
import TraceWords
package import ViewerConsole

/// A JSON object on one line of limited size: some members, and lists with as many entries as fit.
/// A number after each list says how many entries were left out.
struct BriefLists {
  /// A list of entries, the most important ones first.
  struct List {
    let key: String
    let count: Int
    /// Returns an entry as JSON.
    let entry: (Int) -> String
  }

  /// The members before the lists.
  let head: (inout JSONWriter) -> Void
  let lists: [List]

  /// Returns the object, followed by a line end.
  ///
  /// - Parameter tokens: The maximum number of tokens.
  func text(tokens: Int) -> String {
    let room = tokens * BriefFinding.bytesPerToken
    var json = JSONWriter(.compact)
    json.object { head(&$0) }
    var text = String(json.text.dropLast())
    var separator = text.hasSuffix("{") ? "" : ","
    // Each list needs room for its key and for the number of entries that it leaves out.
    var size = text.utf8.count + 2 + lists.reduce(0) { $0 + 2 * $1.key.utf8.count + 32 }
    for list in lists {
      var entries: [String] = []
      for index in 0..<list.count {
        let entry = list.entry(index)
        guard size + entry.utf8.count + 1 <= room else { break }
        entries.append(entry)
        size += entry.utf8.count + 1
      }
      text += "\(separator)\"\(list.key)\":[\(entries.joined(separator: ","))]"
      let omitted = list.count - entries.count
      let key = list.key.prefix(1).uppercased() + list.key.dropFirst()
      if omitted > 0 { text += ",\"omitted\(key)\":\(omitted)" }
      separator = ","
    }
    return text + "}\n"
  }
}

/// The statistics of logs by lane as JSON for a reader with little room.
///
///     outcome, verdict            whether the logs have findings
///     duration, records, subscriptions, active
///     lanes                       those with active subscriptions first: lane, subscriptions, how
///                                 many of them are active, completed, failed, disposed or
///                                 released, elements, and the median life of those that ended
package struct BriefStatistics {
  private let log: LogAnalysis
  private let verdict: Verdict

  private static let page = Page(width: 100, glyphs: .unicode)
  private static let columns = 80

  package init(_ log: LogAnalysis, _ verdict: Verdict) {
    self.log = log
    self.verdict = verdict
  }

  /// Returns a JSON object on one line.
  ///
  /// - Parameter tokens: The maximum number of tokens.
  package func text(tokens: Int) -> String {
    let lanes = LaneSummary.lanes(of: ExcerptFigures(log).ofSubscriptions).sorted {
      ($0[.active], $0.subscriptions) > ($1[.active], $1.subscriptions)
    }
    return BriefLists(
      head: { json in
        json.string("outcome", "\(verdict.outcome)")
        json.string("verdict", VerdictView(log, verdict).line(Self.page).text)
        json.string("duration", Self.page.duration(log.duration))
        json.integer("records", log.logs.reduce(0) { $0 + $1.records })
        json.integer("subscriptions", log.subscriptionCount)
        json.integer("active", log.lifecycles.count { $0.isActive && !$0.isObject })
      },
      lists: [.init(key: "lanes", count: lanes.count) { Self.entry(lanes[$0]) }]
    ).text(tokens: tokens)
  }

  private static func entry(_ lane: LaneSummary) -> String {
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("lane", page.cutMiddle(page.safe(lane.lane), to: columns))
      json.integer("subscriptions", lane.subscriptions)
      for state in Lifecycle.State.allCases where lane[state] > 0 {
        json.integer("\(state)", lane[state])
      }
      json.integer("elements", lane.elements)
      if let lives = lane.lives { json.string("medianLife", page.duration(lives.median)) }
    }
    return json.text
  }
}

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
