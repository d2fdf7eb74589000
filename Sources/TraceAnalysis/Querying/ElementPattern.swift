import SystemLibrary
import TraceFormat

/// A regular expression that is known to be valid.
///
/// Patterns of the common kind (`PatternNode`) take time in proportion to the length of the text.
/// Other patterns, with a lookahead or a backreference, use `Regex`, which tries one alternative
/// after the other. Such a pattern can take extremely long.
package struct ElementPattern: Equatable, Sendable {
  package let text: String
  private let program: PatternProgram?

  /// Creates a pattern. Throws the error of the regular expression compiler.
  package init(_ text: String) throws {
    _ = try Regex(text)
    self.text = text
    program = PatternParser.parse(text).flatMap { PatternProgram($0) }
  }

  package static func == (left: ElementPattern, right: ElementPattern) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// A Boolean value that indicates whether the time for a match grows in proportion to the length
  /// of the text, and not faster.
  package var isLinear: Bool { program != nil }

  /// A pattern that is ready to be used.
  ///
  /// Threads may not share the compiled form, so each thread makes its own. The lock, which no
  /// other thread wants, proves this to the compiler.
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
