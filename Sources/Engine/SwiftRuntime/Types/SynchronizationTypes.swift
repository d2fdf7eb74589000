/// The locks and atomic values of the standard library's module Synchronization.
package enum SynchronizationTypes {
  private static let module = "Synchronization"

  /// The size of the lock before the value of a mutex, in bytes: the word of a futex
  /// (`Mutex/LinuxImpl.swift` in the standard library).
  private static let lockSize = 4

  /// Returns the stored value of a type, or nil if the type isn't one of these, or if its argument
  /// is a generic parameter.
  package static func stored(_ type: MangledName) -> TypeParts.Stored? {
    if let value = type.argument(ofStructure: "Mutex", in: module) {
      return value.typeWithoutContext().map { .value($0, after: lockSize) }
    }
    if type.argument(ofStructure: "AtomicLazyReference", in: module) != nil { return .reference }
    return type.argument(ofStructure: "Atomic", in: module).map { _ in .nothing }
  }
}
