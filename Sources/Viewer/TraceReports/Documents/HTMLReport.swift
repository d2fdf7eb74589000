import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A report as one page for a browser.
struct HTMLReport {
  private let json: JSONReport
  /// The indices in `LogAnalysis.lifecycles` of the subscriptions that have a bar.
  private let members: [Int]
  private let tree: LaneTree
  private let findings: HTMLFindings
  private let marks: ElementMarks
  private let overview: LogOverview
  private let events: RecentEvents

  /// The maximum number of subscriptions. More would make the page slow.
  private static let maxSubscriptions = 20_000
  private static let maxMarks = 20_000
  /// The maximum number of time ranges with a count. Each takes a byte.
  private static let maxRanges = 200_000
  private static let maxEvents = 60_000
  private static let longestText = 240
  /// The maximum number of time ranges in which the live subscriptions of a lane are counted, and
  /// the maximum of all lanes together.
  private static let maxColumns = 800
  private static let maxCells = 400_000
  /// The number of columns of the overview, which is also the precision of its totals.
  private static let overviewColumns = 400

  private var log: LogAnalysis { json.log }

  /// Creates the report. Reads the files again.
  init(_ excerpt: LogExcerpt, _ verdict: Verdict, _ options: ReportOptions) throws(LogError) {
    let figures = try ExcerptFigures(excerpt)
    json = JSONReport(
      figures: figures, verdict: verdict, options: options, text: { SafeText.make($0) })
    findings = HTMLFindings(excerpt.log, verdict.groups(of: excerpt))
    tree = LaneTree(figures.ofSubscriptions.excerpt)
    members = HTMLReport.choose(figures.ofSubscriptions, tree, options)
    let scale = TimeScale(excerpt.times, columns: HTMLReport.overviewColumns)
    marks = try ElementMarks(
      excerpt, of: members, maxCount: HTMLReport.maxMarks, ranges: HTMLReport.maxRanges,
      overview: scale)
    overview = LogOverview(excerpt, over: scale, elements: marks.overview)
    events = try RecentEvents(
      excerpt.log, of: members,
      maxCount: max(1, min(5, HTMLReport.maxEvents / max(1, members.count))))
  }

  /// Returns as many subscriptions as the page can show. Suspicious ones take precedence. Of the
  /// others, each lane has a fair share, from its whole time.
  private static func choose(
    _ figures: ExcerptFigures, _ tree: LaneTree, _ options: ReportOptions
  ) -> [Int] {
    let excerpt = figures.excerpt
    let maxCount = min(maxSubscriptions, options.maxCount(.max))
    guard excerpt.members.count > maxCount else { return Array(excerpt.members) }
    if options.order != nil {
      return options.sort(excerpt.members, of: figures).prefix(maxCount).sorted()
    }
    let isOdd = { (index: Int) in
      let lifecycle = excerpt.log.lifecycles[index]
      return lifecycle.isUnexpectedlyActive || lifecycle.state == .failed
        || lifecycle.state == .released
    }
    let odd = excerpt.members.filter(isOdd)
    guard odd.count < maxCount else { return spread(odd, maxCount) }
    let lanes = tree.nodes.map { node in node.members.filter { !isOdd($0) } }
    let share = ElementMarks.share(lanes.map(\.count), maxCount: maxCount - odd.count)
    let others = lanes.flatMap { spread($0, share) }
    return (odd + spread(others, maxCount - odd.count)).sorted()
  }

  /// Returns one of the elements from each of equally many sections. Its place in the section
  /// varies, because events often repeat in a rhythm.
  private static func spread(_ all: [Int], _ maxCount: Int) -> [Int] {
    guard all.count > maxCount else { return all }
    return (0..<maxCount).map { number in
      let start = number * all.count / maxCount
      let end = (number + 1) * all.count / maxCount
      // A multiplicative hash, so that the same log always has the same report.
      let hash = UInt32(truncatingIfNeeded: number) &* 2_654_435_769 >> 8
      return all[start + Int(hash) % (end - start)]
    }
  }

  func write(to output: Output) {
    var head = HTMLWriter()
    HTMLHead(
      title: title, excerpt: json.excerpt, verdict: json.verdict, sections: sections
    ).write(&head)
    var cards = HTMLWriter()
    findings.write(&cards)
    HTMLNotes(notes: json.options.notes).write(&cards)
    HTMLPage(
      title: title, head: head.bytes, findings: cards.bytes, timeline: timeline, data: data()
    ).write(to: output)
  }

  private var timeline: HTMLPage.Timeline {
    guard members.isEmpty else { return .shown }
    let isOfOthers =
      !log.logs.isEmpty && log.logs.allSatisfy { $0.searched != nil || $0.inspection != nil }
    guard log.subscriptionCount == 0 else {
      return .replaced("No subscription of the log is left by the filters.")
    }
    return isOfOthers
      ? .hidden
      : .replaced("The log has no subscriptions. Add .lane(\"name\") to a pipeline to see it.")
  }

  private var sections: [(id: String, name: String, count: String)] {
    guard case .shown = timeline else { return [] }
    let all = json.excerpt.ofSubscriptions.members.count
    let drawn =
      members.count < all
      ? "\(CountText.number(members.count)) of \(CountText.number(all))" : CountText.number(all)
    return [
      ("findings", "Findings", CountText.number(findings.groups.count)),
      ("timeline", "Timeline", ""),
      ("lane-table", "Lanes", CountText.number(Set(tree.nodes.map(\.lane)).count)),
      ("sub-table", "Subscriptions", drawn),
    ]
  }

  private var title: String {
    let first = log.logs.first?.title ?? "no log"
    return log.logs.count < 2
      ? first : "\(first) and \(CountText.make(log.logs.count - 1, "other"))"
  }

  private func data() -> [UInt8] {
    var writer = JSONWriter(.compact, escapesLessThan: true)
    writer.object { writer in
      writer.string("title", json.text(title))
      json.writeSummary(&writer)
      json.writeLogs(&writer)
      json.writeNotes(&writer)
      json.writeLanes(&writer)
      writeJudgments(findings.groups, &writer)
      writeGroups(&writer)
      // The order is empty if the user did not ask for one.
      writer.string("order", json.options.order?.rawValue ?? "")
      writer.bool("counted", marks.isCounted)
      writer.bool("isLimited", json.options.maxCount(.max) < HTMLReport.maxSubscriptions)
      // The caption is empty if the numbers cover the whole time.
      let page = Page(width: .max / 2, glyphs: .unicode)
      let caption = ExcerptView(json.excerpt, json.verdict).caption(page)
      writer.string("caption", caption ?? "")
      writer.array("files") { writer in
        for file in log.files { writer.string(nil, json.text(file.name)) }
      }
      writeOverview(&writer)
      writeTree(&writer)
      let sites = writeSites(&writer)
      let places = writePlaces(&writer)
      writeSubscriptions(sites, places, &writer)
      HTMLTasks(json.excerpt, members).write(&writer)
      writeElements(&writer)
      writeEvents(&writer)
    }
    return Array(writer.bytes)
  }

  private func writeOverview(_ writer: inout JSONWriter) {
    writer.object("overview") { writer in
      let counts = [
        ("elements", overview.elements), ("began", overview.began), ("ended", overview.ended),
        ("failed", overview.failed),
      ]
      for (key, counts) in counts {
        writer.array(key) { writer in for count in counts { writer.integer(nil, count) } }
      }
      writer.array("alive") { writer in for count in overview.alive { writer.integer(nil, count) } }
    }
  }

  /// Writes the lanes in the order of the timeline. Members are indices in `subs`. A lane with
  /// subscriptions that are not in `subs` has the number of live subscriptions over time.
  private func writeTree(_ writer: inout JSONWriter) {
    var slots: [Int: Int] = [:]
    for (slot, index) in members.enumerated() { slots[index] = slot }
    let isPartial = { (node: LaneTree.Node) in node.members.contains { slots[$0] == nil } }
    let partial = slots.count < json.excerpt.members.count ? tree.nodes.count(where: isPartial) : 0
    let columns = max(16, min(HTMLReport.maxColumns, HTMLReport.maxCells / max(1, partial)))
    let scale = TimeScale(json.excerpt.times, columns: columns)
    writer.array("tree") { writer in
      for node in tree.inOrder.lazy.map({ tree.nodes[$0] }) {
        writer.object { writer in
          writer.string("lane", json.text(node.lane))
          writer.integer("depth", node.depth)
          writer.integer("count", node.members.count)
          writer.array("subs") { writer in
            for slot in node.members.compactMap({ slots[$0] }) { writer.integer(nil, slot) }
          }
          if partial > 0, isPartial(node) {
            writeAlive(log.peaks(of: node.members, over: scale), &writer)
          }
        }
      }
    }
  }

  /// Writes the highest number of live subscriptions in each of equal time ranges, as letters from
  /// `A` for none to `Z` for the highest of all.
  private func writeAlive(_ counts: [Int], _ writer: inout JSONWriter) {
    let most = max(1, counts.max() ?? 0)
    let letters = counts.map { UInt8(ascii: "A") + UInt8(clamping: ($0 * 25 + most - 1) / most) }
    writer.object("alive") { writer in
      writer.integer("most", most)
      writer.string("levels", String(decoding: letters, as: UTF8.self))
    }
  }

  private func writeSites(_ writer: inout JSONWriter) -> [ObjectIdentifier: Int] {
    var sites: [ObjectIdentifier: Int] = [:]
    writer.array("sites") { writer in
      for site in members.lazy.map({ log.lifecycles[$0].site })
      where sites[ObjectIdentifier(site)] == nil {
        sites[ObjectIdentifier(site)] = sites.count
        writer.object { json.writeSite(site, &$0) }
      }
    }
    return sites
  }

  /// Writes the places where subscriptions were observed.
  private func writePlaces(_ writer: inout JSONWriter) -> [ObservedPlace: Int] {
    var places: [ObservedPlace: Int] = [:]
    writer.array("places") { writer in
      for place in members.lazy.compactMap({ log.observed(of: log.lifecycles[$0]) })
      where places[place] == nil {
        places[place] = places.count
        writer.object { writer in
          if let source = place.source { writer.string("source", json.text(source)) }
          if let function = place.function { writer.string("function", json.text(function)) }
        }
      }
    }
    return places
  }

  /// Writes the findings, with the most severe first. Each has the fragment that leads to it, and
  /// the indices of its judgments.
  private func writeGroups(_ writer: inout JSONWriter) {
    var count = 0
    writer.array("groups") { writer in
      for group in findings.groups {
        writer.object { writer in
          writer.string("id", HTMLFindings.fragment(of: group))
          writer.string("message", json.text(findings.message(of: group)))
          writer.string("severity", group.severity.rawValue)
          writer.string("lanes", json.text(findings.lanes(of: group)))
          writer.array("findings") { writer in
            for index in count..<count + group.findings.count { writer.integer(nil, index) }
          }
        }
        count += group.findings.count
      }
    }
  }

  /// Writes the judgments about subscriptions, in the order of the findings that they belong to.
  private func writeJudgments(_ groups: [FindingGroup], _ writer: inout JSONWriter) {
    let finding = FindingJSON(log: log, text: json.text)
    var digests = FingerprintDigests()
    writer.array("findings") { writer in
      for judgment in groups.lazy.flatMap(\.findings) {
        writer.object { writer in
          writer.string("rule", judgment.rule)
          writer.string("level", judgment.level.rawValue)
          writer.bool("proven", judgment.isProven)
          json.writeSite(log.lifecycles[judgment.lifecycle].site, &writer)
          writer.string("sentence", finding.sentence(of: judgment))
          writer.string("fingerprint", digests.digest(of: judgment, in: log))
          finding.write(judgment, to: &writer)
          writer.array("subscriptions", onOneLine: true) { writer in
            for index in judgment.members {
              writer.object { writer in
                writer.integer("id", log.lifecycles[index].id.number)
                writer.integer("log", log.lifecycles[index].log)
              }
            }
          }
        }
      }
    }
  }

  /// Writes a row for each subscription: id, log, site, start, end or -1, state, elements, parent,
  /// cause and scope or 0, 1 if it lives until exit and otherwise 0, the elements of its whole
  /// lifetime, and its place counted from 1 or 0.
  private func writeSubscriptions(
    _ sites: [ObjectIdentifier: Int], _ places: [ObservedPlace: Int], _ writer: inout JSONWriter
  ) {
    writer.array("subs") { writer in
      for index in members {
        let lifecycle = log.lifecycles[index]
        writer.array { writer in
          writer.integer(nil, lifecycle.id.number)
          writer.integer(nil, lifecycle.log)
          writer.integer(nil, sites[ObjectIdentifier(lifecycle.site)] ?? 0)
          writer.integer(nil, lifecycle.start.count)
          writer.integer(nil, lifecycle.end.map { Int64(clamping: $0.count) } ?? -1)
          writer.integer(nil, lifecycle.state.rawValue)
          writer.integer(nil, json.figures.elements(of: index))
          writer.integer(nil, lifecycle.parent?.number ?? 0)
          writer.integer(nil, lifecycle.cause?.number ?? 0)
          writer.integer(nil, lifecycle.scope ?? 0)
          writer.integer(nil, lifecycle.livesUntilExit ? 1 : 0)
          writer.integer(nil, lifecycle.elements)
          writer.integer(nil, (log.observed(of: lifecycle).flatMap { places[$0] } ?? -1) + 1)
        }
      }
    }
  }

  /// Writes for each subscription the time from each element to the next. If the elements were only
  /// counted, writes start, end and counts.
  private func writeElements(_ writer: inout JSONWriter) {
    writer.array("elements") { writer in
      for marks in marks.marks {
        switch marks {
        case .times(let times):
          writer.array { writer in
            var last = Nanoseconds.zero
            for time in times {
              writer.integer(nil, time.since(last).count)
              last = time
            }
          }
        case .counts(let counts, let start, let end):
          writer.object { writer in
            writer.integer("start", start.count)
            writer.integer("end", end.count)
            writer.string("counts", HTMLReport.levels(counts))
          }
        }
      }
    }
  }

  /// Returns a character for each count, from `0` for none. Its offset from `0` is the number of
  /// times that the count can be halved until it is 0.
  private static func levels(_ counts: [UInt32]) -> String {
    String(
      decoding: counts.map { UInt8(ascii: "0") + UInt8(32 - $0.leadingZeroBitCount) },
      as: UTF8.self)
  }

  /// Writes the last events of each subscription: kind, time, file, line, text.
  private func writeEvents(_ writer: inout JSONWriter) {
    writer.array("events") { writer in
      for events in events.events {
        writer.array { writer in
          for event in events {
            writer.array { writer in
              writer.string(nil, event.kind.rawValue)
              writer.integer(nil, event.time.count)
              writer.integer(nil, event.location.file)
              writer.integer(nil, event.location.line)
              if let text = log.text(at: event.location) {
                let isLong = text.unicodeScalars.count > HTMLReport.longestText
                let short = String(text.unicodeScalars.prefix(HTMLReport.longestText))
                writer.string(nil, json.text(short) + (isLong ? "…" : ""))
              }
            }
          }
        }
      }
    }
  }
}
