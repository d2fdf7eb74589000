import CRuntime.OwnProcess

/// The environment variables of the process.
///
/// A privileged program (setuid) ignores its environment, because its caller must not choose a
/// path to which the program writes.
package enum EnvironmentVariables {
  /// Returns the value of a variable, or nil if it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard !trace_is_privileged(), let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Returns the names of the variables that begin with `prefix`.
  package static func names(withPrefix prefix: String) -> [String] {
    guard !trace_is_privileged() else { return [] }
    var names: [String] = []
    var next = trace_environment()
    while let entry = next?.pointee {
      let text = String(cString: entry)
      if text.hasPrefix(prefix), let equals = text.firstIndex(of: "=") {
        names.append(String(text[..<equals]))
      }
      next = next?.successor()
    }
    return names
  }
}
