package import TraceFormat

extension LogAnalysis: LeakFacts {
  package var count: Int { lifecycles.count }

  package var hasRetentions: Bool { logs.contains { !$0.retentions.isEmpty } }

  package func parent(of index: Int) -> Int? { parent(of: lifecycles[index]) }

  package func index(of id: SubscriptionID, inLogOf index: Int) -> Int? {
    self.index(of: id, log: log(of: index))
  }

  package func log(of index: Int) -> Int { Int(lifecycles.activity(at: index).log) }

  package func observedSource(of index: Int) -> String? {
    observed(of: lifecycles[index])?.source
  }

  /// Returns whether a subscription was made for another one that is still active.
  package func isMadeForActive(_ index: Int) -> Bool {
    parent(of: index).map { lifecycles[$0].isActive } ?? false
  }
}
