import SystemLibrary

/// The environment variables that this program reads. A test creates its own.
package struct Environment: Sendable {
  private let values: [String: String]

  package init(_ values: [String: String] = [:]) {
    self.values = values
  }

  /// The value of a variable, or nil if it is not set or is empty.
  package subscript(name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  /// The environment of this process.
  package static func current() -> Environment {
    let names = [
      "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "TERM", "COLORTERM", "VISUAL", "EDITOR", "HOME",
      "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG",
      "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "REACTIVE_TRACE", "TMPDIR",
    ]
    var values: [String: String] = [:]
    for name in names {
      if let value = getenv(name) { values[name] = String(cString: value) }
    }
    return Environment(values)
  }

  /// A Boolean value that indicates whether the locale can show more than ASCII.
  package var isUTF8: Bool {
    let locale = self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "C"
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
