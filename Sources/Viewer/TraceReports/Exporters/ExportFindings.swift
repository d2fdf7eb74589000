import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The findings about the exported subscriptions.
///
/// The texts are made when a subscription is written, because there may be a million of them.
struct ExportFindings {
  /// A finding about a subscription, as numbers.
  private struct Reference {
    let lifecycle: Int32
    let group: Int32
    /// The index among the findings of the group.
    let finding: Int32
    /// A Boolean value that indicates whether this is the subscription that has the event of the
    /// finding: the first one that is exported.
    let isFirst: Bool
  }

  private let log: LogAnalysis
  private let groups: [FindingGroup]
  /// The findings in the order of the subscriptions. Those about one subscription are in the order
  /// of the groups: most severe first.
  private let references: [Reference]
  private let heads = FindingHeads()

  /// The page for texts, which may have any length.
  private static let page = Page(width: .max / 2, glyphs: .unicode)

  /// Creates the findings about the subscriptions of an excerpt.
  ///
  /// - Parameter verdict: The findings in the log, or `nil` to export the log without them.
  init(_ verdict: Verdict?, _ excerpt: LogExcerpt) {
    log = excerpt.log
    groups = verdict?.groups(of: excerpt) ?? []
    var references: [Reference] = []
    for (number, group) in groups.enumerated() {
      var isFirst = true
      for (position, finding) in group.findings.enumerated() {
        for index in finding.members where excerpt.contains(index) {
          references.append(
            Reference(
              lifecycle: Int32(index), group: Int32(number), finding: Int32(position),
              isFirst: isFirst))
          isFirst = false
        }
      }
    }
    references.sort {
      ($0.lifecycle, $0.group, $0.finding) < ($1.lifecycle, $1.group, $1.finding)
    }
    // Several judgments of a finding may be about one subscription.
    var last: Reference?
    references.removeAll { reference in
      defer { last = reference }
      return last?.lifecycle == reference.lifecycle && last?.group == reference.group
    }
    self.references = references
  }

  /// Returns the findings about a subscription, most severe first.
  func findings(of index: Int) -> [ExportedFinding] {
    references(of: index).map { text(of: $0, index) }
  }

  /// Returns the findings whose event the subscription has.
  func events(of index: Int) -> [ExportedFinding] {
    references(of: index).filter(\.isFirst).map { text(of: $0, index) }
  }

  private func references(of index: Int) -> ArraySlice<Reference> {
    let start = references.partitionPoint { $0.lifecycle >= index }
    return references[start...].prefix { $0.lifecycle == index }
  }

  private func text(of reference: Reference, _ index: Int) -> ExportedFinding {
    let group = groups[Int(reference.group)]
    let finding = group.findings[Int(reference.finding)]
    let words = FindingWords(log: log, page: Self.page)
    let place = FindingLocation(of: index, in: log, .none)
    let holder =
      finding.retention.map { words.sentences($0, of: finding).joined(separator: " ") } ?? ""
    return ExportedFinding(
      head: heads.head(Int(reference.group)) { FindingHead(group, words) },
      place: "\(Self.page.safe(place.path)):\(place.line)",
      advice: Self.page.safe(finding.advice), holder: holder.isEmpty ? nil : holder,
      steps: steps(of: finding, words), objects: words.objects(of: finding))
  }

  /// Returns the steps that keep the subscription of a finding alive, each with its place.
  private func steps(of finding: Finding, _ words: FindingWords) -> [String] {
    guard let retention = finding.retention else { return [] }
    let number = Int(log.lifecycles[finding.lifecycle].log)
    return FindingWords.shownSteps(of: retention).map { part in
      switch part {
      case .omitted(let range): return "... \(CountText.make(range.count, "more step"))"
      case .step(let index):
        let step = retention.steps[index]
        let detail = words.detail(of: step, log: number)
        let place = step.site.map { " (\(Self.page.safe($0)))" } ?? ""
        let mark = index == retention.breakIndex ? " <- \(RetentionWords.mark)" : ""
        return words.name(of: step) + (detail.isEmpty ? "" : ": " + detail) + place + mark
      }
    }
  }
}

/// A finding about an exported subscription, in words. All of them are safe to display.
struct ExportedFinding {
  let head: FindingHead
  /// The path and the line where this subscription was observed.
  let place: String
  /// What to do; empty if unknown.
  let advice: String
  /// What can dispose the subscription, and the limits of the search.
  let holder: String?
  /// What keeps the subscription alive. Each step retains the next one.
  let steps: [String]
  /// Leaked objects by class; empty if the finding is about subscriptions.
  let objects: [String]

  /// Returns all texts of the finding as lines.
  var text: String {
    let title = "\(head.rule) \(head.id) (\(head.severity.rawValue)): \(head.sentence)"
    let details = [place] + head.origins + (steps.isEmpty ? [] : ["kept alive by:"])
    let end = objects + [holder ?? "", advice].filter { !$0.isEmpty }
    return ([title] + details + steps.map { "  " + $0 } + end).joined(separator: "\n")
  }
}

/// The words that all subscriptions of a finding share.
struct FindingHead {
  let id: String
  let rule: String
  let severity: Severity
  let sentence: String
  /// How the program came there.
  let origins: [String]

  init(_ group: FindingGroup, _ words: FindingWords) {
    id = group.id.description
    rule = group.fingerprint.rule
    severity = group.severity
    sentence = words.message(of: group)
    origins = words.origins(of: group)
  }

  /// The name of the event of the finding.
  var name: String { "\(rule) \(id)" }
}

/// The heads of some findings. To make a head takes longer the more subscriptions a finding has.
private final class FindingHeads {
  /// The maximum number of heads, so that memory use doesn't grow with the number of findings.
  private static let maxCount = 4096

  private var known: [Int: FindingHead] = [:]

  func head(_ number: Int, _ make: () -> FindingHead) -> FindingHead {
    if let head = known[number] { return head }
    if known.count == Self.maxCount { known.removeAll(keepingCapacity: true) }
    let head = make()
    known[number] = head
    return head
  }
}
