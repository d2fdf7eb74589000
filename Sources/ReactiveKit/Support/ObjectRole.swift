/// The roles that objects of the library play in keeping a subscription alive.
package enum ObjectRole {
  /// An object that isn't the library's.
  case other
  case chain
  /// An object through which a chain is ended, or that retains a chain.
  case upstream
  /// An observer's registration with a shared signal. It retains the connection, which other
  /// observers also use.
  case visit
  /// Any other object of the library.
  case downstream
  /// The table of a subject's observers.
  case registry
  /// An observer's registration with a subject.
  case entry
  /// The buffer of an `AsyncStream`.
  case stream
  /// A subscriber of the library, which retains its own subscription.
  case subscriber
}

/// A class whose objects have their own role. Objects of the library's other classes are
/// downstream.
package protocol PlaysRole: AnyObject {
  static var objectRole: ObjectRole { get }
}
