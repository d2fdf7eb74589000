internal import Synchronization

/// A regular expression that is known to be one.
package struct ElementPattern: Sendable {
  package let text: String

  /// Throws what the compiler of regular expressions has to say.
  package init(_ text: String) throws {
    _ = try Regex(text)
    self.text = text
  }

  /// It, ready to be used.
  ///
  /// The compiled form may not be shared by threads, so each makes one of its own; the mutex, which nobody else wants, says so to
  /// the compiler.
  final class Matcher: Sendable {
    private let regex: Mutex<Regex<AnyRegexOutput>?>

    init(_ pattern: ElementPattern) {
      regex = Mutex(try? Regex(pattern.text))
    }

    func matches(_ text: String) -> Bool {
      regex.withLock { regex in
        guard let regex else { return false }
        return (try? regex.firstMatch(in: text)) != nil
      }
    }
  }
}
