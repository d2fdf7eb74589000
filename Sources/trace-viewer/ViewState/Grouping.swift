/// What the rows of a timeline are grouped by.
enum Grouping: String, CaseIterable, Sendable {
  /// Lanes under the lanes that they were made for.
  case parent
  case source, scope, thread, state
}

/// In which order lanes and subscriptions are listed.
enum ListOrder: String, CaseIterable, Sendable {
  case time, lane, elements, life, state
}

extension CaseIterable where Self: Equatable {
  /// The next of all cases, after the last the first.
  var next: Self {
    let all = Array(Self.allCases)
    let place = all.firstIndex(of: self) ?? 0
    return all[(place + 1) % all.count]
  }
}
