package import TraceAnalysis
package import ViewerConsole

/// A number of a lane in a comparison of two logs. Every output of a comparison has these numbers,
/// in this order, with the most important first. The raw value is the key in JSON.
package enum LaneFigure: String, CaseIterable, Sendable {
  case subscriptions, active, failed, elements

  /// The title of a column.
  package var title: String {
    switch self {
    case .subscriptions: "Subscriptions"
    case .active: "Still active"
    case .failed: "Failed"
    case .elements: "Elements"
    }
  }

  /// The title of a narrow column.
  package var shortTitle: String {
    switch self {
    case .subscriptions: "SUBS"
    case .active: "ACTIVE"
    case .failed: "FAILED"
    case .elements: "ELEMENTS"
    }
  }

  /// Returns the number in one log, which is 0 if the log doesn't have the lane.
  package func value(in summary: LaneSummary?) -> Int {
    guard let summary else { return 0 }
    return switch self {
    case .subscriptions: summary.started
    case .active: summary[.active]
    case .failed: summary[.failed]
    case .elements: summary.elements
    }
  }

  /// Returns the numbers in both logs.
  package func values(of lane: LogComparison.Lane) -> (old: Int, new: Int) {
    (value(in: lane.old), value(in: lane.new))
  }

  /// Returns text such as `2 → 5 (+3)`; nil if the numbers are equal.
  package func change(of lane: LogComparison.Lane, _ page: Page) -> String? {
    let (old, new) = values(of: lane)
    guard old != new else { return nil }
    let sign = new > old ? "+" : "-"
    let difference = CountText.number(max(old, new) - min(old, new))
    return "\(CountText.number(old))\(page.arrow)\(CountText.number(new)) (\(sign)\(difference))"
  }

  /// Returns text such as `26 ms → 1.2 s`; nil if the lifetimes of a lane don't clearly differ.
  package static func lives(of lane: LogComparison.Lane, _ page: Page) -> String? {
    lane.lives.map { "\(page.duration($0.old))\(page.arrow)\(page.duration($0.new))" }
  }
}

extension Page {
  /// The sign between a value before and a value after.
  package var arrow: String { glyphs.isASCII ? " -> " : " → " }
}
