import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The ways to complete the text of a prompt, from the names in a log.
struct Completions {
  /// A log, and what is known about it.
  typealias Source = (log: LogAnalysis, names: LogNames, findings: [Finding])

  private let sources: [Source]

  /// The maximum number of candidates.
  private static let maxCount = 100

  init(_ viewed: ViewedLog) {
    sources = [(viewed.log, viewed.names, viewed.verdict.findings)]
  }

  init(_ sources: [Source]) {
    self.sources = sources
  }

  /// Returns how to complete the text before the cursor of a prompt.
  func of(_ before: String, _ kind: Prompt.Kind) -> Prompt.Completion {
    switch kind {
    case .command, .note: Prompt.Completion(start: 0, candidates: [])
    case .search, .filter: ofQuery(before)
    case .export: Prompt.Completion(start: 0, candidates: ExportName.completions(of: before))
    }
  }

  /// Completes the last word of a query: its name, or its value if it has a name.
  private func ofQuery(_ before: String) -> Prompt.Completion {
    let word = Query.lastWord(of: before)
    let start = before.count - word.count
    let sign = word.prefix { $0 == "-" || $0 == "!" }
    let positive = String(word.dropFirst(sign.count))
    let candidates: [String]
    if let colon = positive.firstIndex(of: ":") {
      let name = String(positive[..<colon])
      let typed = String(positive[positive.index(after: colon)...]).replacing("\"", with: "")
      candidates = values(of: name, beginning: typed).map { "\(name):\(Query.quoted($0))" }
    } else {
      let names = Query.beginnings.filter { $0.hasPrefix(positive) && $0 != positive }
      let typed = positive.replacing("\"", with: "")
      candidates =
        positive.isEmpty ? names : names + self.names(beginning: typed).map(Query.quoted)
    }
    return Prompt.Completion(start: start, candidates: candidates.map { sign + $0 })
  }

  private func names(beginning text: String) -> [String] {
    lanes(beginning: text)
      // Nobody remembers the folders of a file.
      + unique(
        files.lazy.map { $0.split(separator: "/").last.map(String.init) ?? $0 },
        beginning: text)
  }

  private func lanes(beginning text: String) -> [String] {
    let folded = Array(text.lowercased().utf8)
    let found = sources.flatMap { source in
      source.names.lanes.lazy.filter { $0.folded.starts(with: folded) && $0.text != text }
        .prefix(Self.maxCount).map(\.text)
    }
    return unique(found, beginning: text)
  }

  private var files: [String] { sources.flatMap(\.names.files) }

  private func values(of kind: String, beginning text: String) -> [String] {
    switch kind {
    case "lane": lanes(beginning: text)
    case "source": unique(files, beginning: text)
    case "state": unique(Lifecycle.State.allCases.map { "\($0)" }, beginning: text)
    case "scope": unique(logs.flatMap(\.scopes).map(\.title), beginning: text)
    case "thread": unique(threads, beginning: text)
    case "process":
      unique(logs.flatMap(\.logs).compactMap { $0.header?.process }, beginning: text)
    case "rule": unique(sources.flatMap(\.findings).lazy.map(\.rule), beginning: text)
    case "has": unique(Query.features, beginning: text)
    case "alive": unique(logs.flatMap(\.marks).map(\.name), beginning: text)
    default: []
    }
  }

  private var logs: [LogAnalysis] { sources.map(\.log) }

  private var threads: [String] {
    logs.flatMap { log in
      log.logs.indices.flatMap { number in
        Set(log.logs[number].threads.keys).union([UInt64(LogFormat.mainThread)]).sorted()
          .map { ThreadLabel.of($0, log: number, in: log) }
      }
    }
  }

  /// Returns the different names that begin with a text, without regard to case.
  private func unique(_ names: some Sequence<String>, beginning text: String) -> [String] {
    let folded = text.lowercased()
    var known: Set<String> = [text]
    return Array(
      names.lazy.filter { $0.lowercased().hasPrefix(folded) && known.insert($0).inserted }
        .prefix(Self.maxCount))
  }
}
