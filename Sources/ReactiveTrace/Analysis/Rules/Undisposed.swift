/// Alive when the log stops, and not meant to be.
package struct Undisposed: Rule {
  package init() {}

  package var name: String { "undisposed" }

  package var summary: String {
    "A subscription should end before its process does, or be declared to live until exit."
  }

  package func applies(to lifecycle: Lifecycle, in log: LogAnalysis) -> Bool {
    lifecycle.isUnexpectedlyActive
  }
}
