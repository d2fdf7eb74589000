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
    let all = Array(Self.allCases)
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + 1) % all.count]
  }
}
