extension QueryFacts {
  /// Creates the facts of a log with findings.
  package init(_ findings: [Finding]) {
    self.init { isWanted in
      var known: [String: Bool] = [:]
      var affected: [Int] = []
      for finding in findings {
        let fits = known[finding.rule] ?? isWanted(finding.rule)
        known[finding.rule] = fits
        if fits { affected += finding.affected }
      }
      return affected
    }
  }
}
