import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A report as JSON, for programs. It has everything that the text report has, and every
/// subscription.
///
/// This is version 2. `ReportFormats` in the documentation of ReactiveTrace lists its keys. Later
/// versions of the viewer may add keys. If a key changes its meaning, the version changes. Keys
/// have a fixed order. Keys with unknown values are omitted. Times are in nanoseconds on the common
/// axis of all logs.
struct JSONReport: Sendable {
  static let format = "trace-viewer-report"
  static let version = 2

  let figures: ExcerptFigures
  let verdict: Verdict
  let options: ReportOptions
  /// The transformation that is applied to each string of a log. By default, it returns the string
  /// unchanged. A caller that shows the strings unescaped supplies its own.
  var text: @Sendable (String) -> String = { $0 }

  var excerpt: LogExcerpt { figures.excerpt }
  var log: LogAnalysis { excerpt.log }
  private static let pieceSize = 1 << 16

  func write(to output: Output) {
    var json = JSONWriter(.indented)
    json.object { json in
      writeSummary(&json)
      writeLogs(&json)
      writeNotes(&json)
      writeLanes(&json)
      let flush = { (json: inout JSONWriter) in
        guard json.bytes.count > JSONReport.pieceSize else { return }
        output.write(json.bytes)
        json.removeBytes()
      }
      json.array("subscriptions") { json in
        let members = options.sort(excerpt.ofSubscriptions.members, of: figures)
        for index in members.prefix(options.maxCount(.max)) {
          writeSubscription(index, &json)
          flush(&json)
        }
      }
      writeFindings(&json, flush)
    }
    json.newline()
    output.write(json.bytes)
  }

  /// Writes the format, the shown part of the logs, and the verdict.
  func writeSummary(_ json: inout JSONWriter) {
    json.string("format", JSONReport.format)
    json.integer("version", JSONReport.version)
    json.integer("duration", log.duration.count)
    json.object("shown", onOneLine: true) { json in
      json.integer("from", excerpt.times.start.count)
      json.integer("to", excerpt.times.end.count)
      json.integer("subscriptions", excerpt.ofSubscriptions.members.count)
      json.integer("allSubscriptions", log.subscriptionCount)
      json.integer("findings", verdict.groups(of: excerpt).count)
      json.integer("allFindings", verdict.groups.count)
    }
    json.string("outcome", "\(verdict.outcome)")
    json.string("verdict", VerdictView(log, verdict).line(JSONReport.page).text)
  }

  /// The page for sentences, which may have lines of any length.
  private static let page = Page(width: .max / 2, glyphs: .unicode)

  private func writeSubscription(_ index: Int, _ json: inout JSONWriter) {
    let lifecycle = log.lifecycles[index]
    json.object(onOneLine: true) { json in
      json.integer("id", lifecycle.id.number)
      json.integer("log", lifecycle.log)
      writeSite(lifecycle.site, &json)
      if let parent = lifecycle.parent { json.integer("parent", parent.number) }
      if let cause = lifecycle.cause { json.integer("cause", cause.number) }
      if let scope = lifecycle.scope { json.integer("scope", scope) }
      if lifecycle.livesUntilExit { json.string("lifetime", LogFormat.Lifetime.process.rawValue) }
      json.integer("start", lifecycle.start.count)
      if let end = lifecycle.end { json.integer("end", end.count) }
      json.string("state", "\(lifecycle.state)")
      json.integer("elements", figures.elements(of: index))
      json.integer("allElements", lifecycle.elements)
      json.object("last") { json in
        json.string("event", lifecycle.last.kind.rawValue)
        json.integer("time", lifecycle.last.time.count)
        if let last = log.lastText(of: lifecycle) { json.string("text", text(last)) }
      }
    }
  }

  func writeSite(_ site: Site, _ json: inout JSONWriter) {
    json.string("lane", text(site.lane))
    if let source = site.source { json.string("source", text(source)) }
    if let function = site.function { json.string("function", text(function)) }
    if let type = site.type { json.string("type", text(type)) }
  }
}
