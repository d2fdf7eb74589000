/// A lookup of the source names of return addresses and of functions. `CodeNames` of CodeLocations
/// is the only one, which the recorder doesn't depend on.
package protocol LocationNames: AnyObject, Sendable {
  /// Looks up all unknown addresses. Returns whether there was time for all of them.
  ///
  /// - Parameter limit: The maximum time, in nanoseconds, if it isn't that of all lookups.
  func lookUp(stacks: [CallStack], functions: [UInt], limit: Int?) -> Bool
  /// Returns the innermost known frame of each stack outside this package.
  func known(_ stacks: [CallStack]) -> [CodeLocation?]
  /// Returns the known calls of each stack that have a source location and aren't in this package,
  /// innermost first.
  func knownCallers(_ stacks: [CallStack]) -> [[CodeLocation]]
  /// Returns the known functions that begin at the addresses.
  func knownFunctions(at addresses: [UInt]) -> [UInt: CodeFunction]
  /// Returns a name for a stack whose frames aren't in the debug information.
  func fallback(for stack: CallStack) -> CodeLocation
}
