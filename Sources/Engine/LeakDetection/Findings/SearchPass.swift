/// One of the passes over the memory of a process that make up a search.
package enum SearchPass {
  /// The only pass, because no thread of the process runs.
  case single
  /// The first of two passes. Its cycles aren't described.
  case first
  /// The second of two passes. It only reports cycles.
  ///
  /// - Parameters:
  ///   - known: The unreachable objects of the first pass. Cycles of other objects are ignored.
  ///   - ignored: The objects on cycles of an earlier search, which aren't described again.
  case second(known: Set<UInt>, ignored: Set<UInt>)

  var isOfRunningProcess: Bool {
    if case .single = self { false } else { true }
  }
}
