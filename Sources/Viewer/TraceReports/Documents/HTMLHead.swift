import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The head of an HTML report as plain HTML: the verdict, who wrote the logs, and how they ended.
struct HTMLHead {
  let title: String
  let excerpt: LogExcerpt
  let verdict: Verdict
  /// The links to the sections, with the number of things in each.
  let sections: [(id: String, name: String, count: String)]

  private static let maxLogs = 100

  private var log: LogAnalysis { excerpt.log }
  private let page = Page(width: .max / 2, glyphs: .unicode)

  func write(_ html: inout HTMLWriter) {
    html.element("div", ["class": "title"]) { html in
      html.element("h1") { $0.isolated(title) }
      let (name, word) =
        switch verdict.outcome {
        case .clean: ("good", "clean")
        case .findings: ("bad", "findings")
        case .inconclusive: ("doubtful", "inconclusive")
        }
      html.element("span", ["class": "outcome \(name)"], text: word)
    }
    html.element("p", ["class": "verdict"], text: VerdictView(log, verdict).line(page).text)
    writeLogs(&html)
    if let sentence = ExcerptView(excerpt, verdict).sentence(page) {
      html.element("p", ["class": "notice"], text: sentence)
    }
    guard !sections.isEmpty else { return }
    html.element("nav", ["aria-label": "Sections"]) { html in
      for section in sections {
        html.element("a", ["href": "#\(section.id)"]) { html in
          html.text("\(section.name) ")
          html.element("span", ["class": "quiet"], text: section.count)
        }
      }
    }
  }

  /// Writes the logs. If there are several, the browser can unfold them, because the findings come
  /// first.
  private func writeLogs(_ html: inout HTMLWriter) {
    guard log.logs.count > 1 else {
      return log.logs.indices.forEach { writeLog($0, &html) }
    }
    html.element("details", ["class": "logs"]) { html in
      html.element("summary", text: "\(CountText.make(log.logs.count, "log")) on one time axis")
      for number in log.logs.indices.prefix(Self.maxLogs) { writeLog(number, &html) }
      let rest = log.logs.count - Self.maxLogs
      if rest > 0 {
        html.element("p", ["class": "quiet"], text: "and \(CountText.make(rest, "more log"))")
      }
    }
  }

  private func writeLog(_ number: Int, _ html: inout HTMLWriter) {
    html.element("div", ["class": "log"]) { html in
      html.element("ul", ["class": "facts"]) { html in
        for fact in facts(number) { html.element("li") { $0.isolated(fact) } }
      }
      if let view = InspectionView(number, of: log, isFull: false) {
        html.element("pre", ["class": "briefs"]) { html in
          for line in view.lines(page) {
            html.text(line.text)
            html.newline()
          }
        }
      }
      for doubt in verdict.doubts[number] {
        html.element("p", ["class": "doubt"], text: LogSentences.doubt(doubt))
      }
      for section in log.sections where section.log == number {
        for kind in Damage.Kind.allCases {
          guard let tally = section.damage[kind] else { continue }
          let place = "\(log.files[section.file].name):\(tally.firstLine)"
          html.element("p", ["class": "doubt"]) { html in
            html.isolated(place)
            html.text(": \(LogSentences.damage(kind, tally.count))")
          }
        }
      }
    }
  }

  private func facts(_ number: Int) -> [String] {
    let one = log.logs[number]
    let header = one.header
    var facts = [
      log.logs.count > 1 ? one.title : header?.pid.map { "pid \($0)" },
      header?.host.map { "on \($0)" },
      header?.started.map { "started \(WallClockText.make($0))" },
    ].compactMap { $0 }
    if let inspection = one.inspection {
      facts.append(LogSentences.inspected(inspection, of: one))
    } else if let searched = one.searched {
      facts += [
        CountText.make(searched, "byte") + " searched", LogSentences.leaked(one),
      ]
    } else {
      let active = log.lifecycles[one.members].count { $0.isActive && !$0.isObject }
      facts += [
        "lasted " + page.duration(one.lastTime.since(Nanoseconds(one.offset))),
        CountText.make(one.records, "record"),
        CountText.make(one.subscriptionCount, "subscription")
          + (active > 0 ? " (\(CountText.number(active)) still active)" : ""),
      ]
    }
    if one.end != nil { facts.append("ended cleanly") }
    return facts
  }
}

/// The notes of a user in an HTML report, as plain HTML.
struct HTMLNotes {
  let notes: [ReportNote]

  func write(_ html: inout HTMLWriter) {
    guard !notes.isEmpty else { return }
    let page = Page(width: .max / 2, glyphs: .unicode)
    html.element("h2", ["id": "notes-title"]) { html in
      html.text("Notes ")
      html.element("span", ["class": "quiet"], text: CountText.number(notes.count))
    }
    html.element("ul", ["id": "notes"]) { html in
      for note in notes {
        html.element("li") { html in
          html.element("span", ["class": "quiet"], text: page.duration(note.time) + " ")
          html.text(page.safe(note.text))
        }
      }
    }
  }
}
