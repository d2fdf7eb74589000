extension LogExcerpt {
  /// Returns the findings about at least one of the excerpt's subscriptions.
  package func findings(_ findings: [Finding]) -> [Finding] {
    hasAllSubscriptions
      ? findings : findings.filter { $0.members.contains(where: contains) }
  }
}
