extension LogExcerpt {
  /// Findings about at least one of the subscriptions.
  package func findings(_ findings: [Finding]) -> [Finding] {
    hasAllSubscriptions
      ? findings : findings.filter { $0.members.contains(where: contains) }
  }
}
