package import TraceAnalysis

extension LogScope {
  /// The title to show for the scope.
  package var title: String { name ?? String(number) }
}
