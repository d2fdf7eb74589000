import CRuntime.OwnProcess
package import TraceFormat

/// The search for causes, which a program only has with the trait `Causes` of the package.
package enum Causes {
  /// The search, or nil in a program without it. Reading this takes no lock.
  package static var search: (any CauseSearching)? {
    var search: (any CauseSearching)?
    withUnsafeMutablePointer(to: &search) { trace_get_causes($0) }
    return search
  }

  /// Why `search` is nil.
  static let reasonForNone = "the program was built without the trait Causes of this package"
}
