package import TraceFormat

/// Figures of lists of subscriptions, which are usually far apart in memory.
extension LogAnalysis {
  /// Returns the life spans of subscriptions.
  func spans(of members: MemberList) -> [LifeSpan] {
    var spans: [LifeSpan] = []
    spans.reserveCapacity(members.count)
    visit(members) { spans.append(LifeSpan($0, in: self)) }
    return spans
  }

  /// Returns the number of elements of all subscriptions together.
  package func elements(of members: MemberList) -> Int {
    var elements = 0
    visit(members) { elements += Int(lifecycles.activity(at: $0).elements) }
    return elements
  }

  /// Returns the longest lifetime or, of an active subscription, time since its beginning.
  package func greatestAge(of members: MemberList) -> Nanoseconds? {
    var greatest: Nanoseconds?
    visit(members) { greatest = max(greatest ?? .zero, age(of: lifecycles[$0])) }
    return greatest
  }

  /// Returns the smallest `Lifecycle.urgency`, which is the most urgent.
  package func smallestUrgency(of members: MemberList) -> Int? {
    var smallest: Int?
    visit(members) { index in
      let urgency = lifecycles.activity(at: index).urgency
      smallest = min(smallest ?? urgency, urgency)
    }
    return smallest
  }

  /// The number of lifecycles that are loaded ahead.
  private static let ahead = 16

  /// Visits the lifecycles, and loads the next ones meanwhile.
  @inline(__always)
  private func visit(_ members: MemberList, _ body: (Int) -> Void) {
    for place in members.indices {
      if place + Self.ahead < members.count {
        lifecycles.prefetchLife(members[place + Self.ahead])
      }
      body(members[place])
    }
  }
}
