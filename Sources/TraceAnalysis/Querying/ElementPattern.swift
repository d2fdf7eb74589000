import SystemLibrary
import TraceFormat

/// A regular expression that is known to be one.
///
/// Patterns of the common kind (`PatternNode`) take time as the text is long. Others, with a look ahead or a reference back,
/// are left to `Regex`, which tries one way after the other: such a one can take longer than anybody waits.
package struct ElementPattern: Sendable {
  package let text: String
  private let program: PatternProgram?

  /// Throws what the compiler of regular expressions has to say.
  package init(_ text: String) throws {
    _ = try Regex(text)
    self.text = text
    program = PatternParser.parse(text).flatMap { PatternProgram($0) }
  }

  /// Whether the time it takes grows with the length of a text, and not faster.
  package var isLinear: Bool { program != nil }

  /// It, ready to be used.
  ///
  /// The compiled form may not be shared by threads, so each makes one of its own; the lock, which nobody else wants, says so to
  /// the compiler.
  final class Matcher: Sendable {
    private let program: PatternProgram?
    private let regex: BlockingMutex<Regex<AnyRegexOutput>?>

    init(_ pattern: ElementPattern) {
      program = pattern.program
      regex = BlockingMutex(pattern.isLinear ? nil : try? Regex(pattern.text))
    }

    func matches(_ text: String) -> Bool {
      if let program { return program.matches(text) }
      return regex.withLock { regex in
        guard let regex else { return false }
        return (try? regex.firstMatch(in: text)) != nil
      }
    }
  }
}
