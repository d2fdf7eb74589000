/// The logs in the repository.
package enum BundledLog {
  /// The path of the log of a search field whose requests leak, as the sample program wrote it.
  package static let leak = folder + "search-leak.jsonl"

  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/") + "/Samples/Logs/"
}
