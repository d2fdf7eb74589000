/// The words for variables and objects of the system's libraries, as their documentation has them.
enum SystemWords {
  /// Returns the name that users know for a variable of a library.
  static func name(of variable: VariableNames.Variable) -> String? {
    switch variable.name {
    case "_defaultCenter": "NotificationCenter.default"
    default: nil
    }
  }

  /// Reports whether a variable is of a library. In a static program, all are in the same file.
  static func isOfSystem(_ variable: VariableNames.Variable) -> Bool {
    variable.library != nil || variable.name == "Thread._mainThread"
  }

  /// Reports whether a field is the one that the macro for observable classes adds.
  static func isRegistrar(_ field: String) -> Bool { field.hasPrefix("_$observationRegistrar") }

  static let registrar = "ObservationRegistrar"

  static let threadDictionary = "Thread.threadDictionary"

  /// Reports whether an object is a thread, and holds its dictionary on the way.
  static func isDictionary(
    of object: Heap.Object, next: Heap.Object?, _ heap: Heap
  ) -> Bool {
    heap.className(object) == "Thread"
      && next.flatMap(heap.className) == "NSMutableDictionary"
  }

  /// Returns what to do about a variable or an object of a library that holds something.
  static func advice(for what: String, capturesSelf: Bool) -> String? {
    switch what {
    case "NotificationCenter.default":
      (capturesSelf ? "Capture self weakly: [weak self], and remove" : "Remove")
        + " the observer when its owner is no longer needed."
    case threadDictionary:
      "Remove the value from the threadDictionary when it is no longer needed."
    default: nil
    }
  }
}
