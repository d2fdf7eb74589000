/// The criterion by which the rows of a timeline are grouped.
enum Grouping: String, CaseIterable, Sendable {
  /// Lanes are below the lanes that they were made for.
  case parent
  case source, scope, thread, state, process, log
}

/// The order in which lanes and subscriptions are listed.
enum ListOrder: String, CaseIterable, Sendable {
  case time, lane, elements, life, state
}

extension CaseIterable where Self: Equatable {
  /// The next case, or the first one after the last.
  var next: Self {
    stepped(by: 1)
  }

  /// The previous case, or the last one before the first.
  var previous: Self {
    stepped(by: Self.allCases.count - 1)
  }

  private func stepped(by distance: Int) -> Self {
    let all = Array(Self.allCases)
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + distance) % all.count]
  }
}
