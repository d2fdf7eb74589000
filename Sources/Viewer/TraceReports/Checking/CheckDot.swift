import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A check result as text for Graphviz: a cluster for each finding, with what keeps it alive as a
/// graph.
///
/// A node is an object, a closure or another step, and its edge has the field or the capture. The
/// edge to break is bold and red. Boxes with dashed edges are what only a cycle keeps alive.
struct CheckDot {
  static func text(_ result: CheckResult) -> String {
    var dot = CheckDot(result)
    dot.write()
    return dot.text
  }

  private static let maxGroups = 100
  private static let maxClasses = 12
  /// The maximum number of columns of a name. Longer lines make the whole graph wider.
  private static let nameWidth = 60
  private static let noteWidth = 100

  private let result: CheckResult
  private let log: LogAnalysis
  private let words: FindingWords
  private var text = ""

  private init(_ result: CheckResult) {
    self.result = result
    log = result.log
    words = FindingWords(log: log, page: CheckedGroup.page)
  }

  private mutating func write() {
    text = """
      digraph "\(ProgramInfo.name)" {
        graph [label=\(quoted([result.sentence])), labelloc=t, fontname="Helvetica", rankdir=LR];
        node [fontname="Helvetica", fontsize=11];
        edge [fontname="Helvetica", fontsize=10];

      """
    for (number, error) in result.errors.enumerated() {
      note("error\(number)", ["\(error.location):", error.sentence])
    }
    for (number, hang) in result.hangs.enumerated() {
      note("hang\(number)", ["\(CheckedHang.rule): \(hang.name)", hang.sentence])
    }
    for (number, group) in result.groups.prefix(Self.maxGroups).enumerated() {
      cluster(group, "f\(number)")
    }
    let rest = result.groups.count - Self.maxGroups
    if rest > 0 { note("rest", ["and \(CountText.make(rest, "more finding"))"]) }
    text += "}\n"
  }

  private mutating func note(_ name: String, _ lines: [String]) {
    line(1, "\(name) [shape=note, label=\(quoted(lines.flatMap(wrapped)))];")
  }

  // MARK: Findings

  private mutating func cluster(_ group: CheckedGroup, _ name: String) {
    guard let first = group.findings.first else { return }
    let color = group.severity == .error ? "red3" : "goldenrod3"
    let title = "\(group.severity.rawValue)[\(group.fingerprint.rule)]  \(group.lane)"
    let place = "\(group.path):\(group.line)"
    let lines = [title, place] + wrapped(group.message) + wrapped(group.advice)
    line(1, "subgraph \"cluster_\(name)\" {")
    line(2, "label=\(quoted(lines, isLeft: true)); labeljust=l; color=\(color);")
    let retention = first.retention.flatMap { $0.steps.isEmpty ? nil : $0 }
    let objects = log.leakedObjects(of: first.lifecycle)
    if let retention {
      path(retention, name)
    } else if objects == nil {
      line(2, "\(name)s0 [label=\(quoted([shown(group.lane)]))];")
    }
    if let objects { hanging(objects, name, isBelow: retention != nil) }
    line(1, "}")
  }

  private mutating func path(_ retention: Retention, _ name: String) {
    let parts = FindingWords.shownSteps(of: retention)
    for part in parts {
      switch part {
      case .step(let index):
        let step = retention.steps[index]
        let shape = step.isCode ? "box, style=rounded" : "ellipse"
        let label = quoted([shown(RetentionWords.node(of: step))])
        line(2, "\(name)s\(index) [shape=\(shape), label=\(label)];")
      case .omitted(let range):
        let label = quoted([CountText.make(range.count, "more step")])
        line(2, "\(name)s\(range.lowerBound) [shape=plaintext, label=\(label)];")
      }
    }
    for (part, next) in zip(parts, parts.dropFirst()) {
      // The last step of the cycle has an edge of its own to the first one.
      let leaves = retention.isCycle && part.end == retention.cycle.count
      edge(part, to: next.start, retention, name, isMarked: !leaves)
    }
    if let last = parts.last(where: { $0.end <= retention.cycle.count }), retention.isCycle {
      edge(last, to: 0, retention, name, isMarked: true)
    }
  }

  private mutating func edge(
    _ part: Retention.Excerpt, to next: Int, _ retention: Retention, _ name: String,
    isMarked: Bool
  ) {
    var attributes: [String] = []
    if case .step(let index) = part, isMarked {
      let words = RetentionWords.edge(of: retention.steps[index])
      var labels = words.isEmpty ? [] : [shown(words)]
      if index == retention.breakIndex {
        labels.append(RetentionWords.mark)
        attributes = ["color=red", "fontcolor=red", "style=bold", "penwidth=2.5"]
      }
      if !labels.isEmpty { attributes.insert("label=\(quoted(labels))", at: 0) }
    }
    let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    line(2, "\(name)s\(part.start) -> \(name)s\(next)\(list);")
  }

  /// Writes what leaks: what isn't on a cycle, and what only these objects keep alive.
  private mutating func hanging(_ objects: LeakedObjects, _ name: String, isBelow: Bool) {
    var root = "\(name)s0"
    if !isBelow {
      boxes(objects.members, "\(name)m", style: "bold")
      root = "\(name)m0"
    }
    boxes(objects.held, "\(name)h", style: "solid")
    guard isBelow || !objects.members.isEmpty else { return }
    for number in 0..<min(objects.held.count, Self.maxClasses + 1) {
      line(2, "\(root) -> \(name)h\(number) [style=dashed, arrowhead=open];")
    }
  }

  private mutating func boxes(_ classes: [LeakedObjects.Class], _ name: String, style: String) {
    for (number, item) in classes.prefix(Self.maxClasses).enumerated() {
      let title = item.name.isEmpty ? "memory" : shown(item.name)
      let lines = [
        "\(CountText.number(item.count)) × \(title)", CountText.make(item.bytes, "byte"),
      ]
      line(2, "\(name)\(number) [shape=box, style=\(style), label=\(quoted(lines))];")
    }
    let rest = classes.dropFirst(Self.maxClasses)
    guard !rest.isEmpty else { return }
    let lines = [
      CountText.make(rest.count, "other class", "other classes"),
      CountText.make(rest.reduce(0) { $0 + $1.bytes }, "byte"),
    ]
    line(2, "\(name)\(Self.maxClasses) [shape=box, style=\(style), label=\(quoted(lines))];")
  }

  // MARK: Text

  private mutating func line(_ depth: Int, _ words: String) {
    text += String(repeating: "  ", count: depth) + words + "\n"
  }

  private func shown(_ name: String) -> String {
    words.page.cutMiddle(words.page.safe(name.isEmpty ? "?" : name), to: Self.nameWidth)
  }

  private func wrapped(_ sentence: String) -> [String] {
    Page(width: Self.noteWidth, glyphs: .unicode).wrap(sentence).map(\.text)
  }

  /// Returns lines as a quoted string.
  private func quoted(_ lines: [String], isLeft: Bool = false) -> String {
    let escaped = lines.map(Escaping.graphvizText)
    return "\"" + (isLeft ? escaped.map { $0 + "\\l" }.joined() : escaped.joined(separator: "\\n"))
      + "\""
  }
}

extension Retention.Excerpt {
  /// The index of the first step.
  fileprivate var start: Int {
    switch self {
    case .step(let index): index
    case .omitted(let range): range.lowerBound
    }
  }

  /// The index after the last step.
  fileprivate var end: Int {
    switch self {
    case .step(let index): index + 1
    case .omitted(let range): range.upperBound
    }
  }
}
