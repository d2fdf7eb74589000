/// A witness of whether the object of a case outlives the case.
@MainActor
final class Witness {
  private weak var object: AnyObject?
  private var isKnown = false

  /// One word: `alive`, `freed`, or `none` if the case has no object.
  var statement: String {
    !isKnown ? "none" : object == nil ? "freed" : "alive"
  }

  func watch(_ object: AnyObject?) {
    self.object = object
    isKnown = object != nil
  }
}
