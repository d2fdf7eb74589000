import Testing

@testable import TraceAnalysis

@Suite("Element patterns")
struct ElementPatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    ElementPattern.Matcher(try ElementPattern(pattern)).matches(text)
  }

  /// A generator of numbers that are the same in every run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ state &>> 33) &* 0xFF51_AFD7_ED55_8CCD
    }
  }

  private static let pieces = [
    "a", "b", "c", ".", "[ab]", "[^a]", "[a-c_]", "\\d", "\\w", "\\S", "\\.", "é", "\\n", "\\s",
    "-", "[\\d.]",
    "[B-Z0-9]", "\\W", "\\D",
  ]

  /// Returns a random pattern. Nested groups would take Swift's own engine too long.
  private static func pattern(_ dice: inout Dice, depth: Int = 1) -> String {
    let count = Int.random(in: 1...3, using: &dice)
    return (0..<count).map { _ in
      let isGroup = depth > 0 && Int.random(in: 0..<3, using: &dice) == 0
      let atom =
        isGroup
        ? ["(", "(?:"].randomElement(using: &dice).map {
          $0 + pattern(&dice, depth: depth - 1) + ")"
        }
        : pieces.randomElement(using: &dice)
      let more = ["", "", "", "*", "+", "?", "*?", "{2}", "{1,2}", "{1,}"].randomElement(
        using: &dice)
      return (atom ?? "") + (more ?? "")
    }.joined(separator: Int.random(in: 0..<4, using: &dice) == 0 ? "|" : "")
  }

  @Test(
    "A pattern matches the same strings as a Swift regular expression",
    arguments: 0..<40)
  func agreement(seed: Int) throws {
    var dice = Dice(state: UInt64(seed) &* 977 &+ 5)
    let characters = [
      "a", "b", "c", "Z", "_", "7", ".", "-", " ", "\n", "é", "e\u{301}", "\r\n", "漢",
    ]
    for _ in 0..<5 {
      let begin = Int.random(in: 0..<4, using: &dice) == 0 ? "^" : ""
      let end = Int.random(in: 0..<4, using: &dice) == 0 ? "$" : ""
      let text = begin + Self.pattern(&dice) + end
      let pattern = try ElementPattern(text)
      let regex = try Regex(text)
      #expect(pattern.isLinear, "\(text)")
      let matcher = ElementPattern.Matcher(pattern)
      for length in 0..<6 {
        let subject = (0..<length).compactMap { _ in characters.randomElement(using: &dice) }
          .joined()
        let expected = try regex.firstMatch(in: subject) != nil
        #expect(
          matcher.matches(subject) == expected, "\(text) in \(subject.debugDescription)")
      }
    }
  }

  @Test(
    "Matching takes linear time, even for deeply nested patterns",
    arguments: [
      ("a.*a.*a.*c", false), ("(a+)+$", true), ("(a+)+b", false), ("(a|a)*b", false),
      ("(a*)*c", false), ("(a|aa)+$", true), ("((a?){50}){9}b", false), ("a{100,}$", true),
      ("^(([a-z])+.)+[A-Z]([a-z])+$", false),
    ])
  func bounded(pattern: String, isFound: Bool) throws {
    // A backtracking engine would never finish here.
    #expect(try matches(pattern, String(repeating: "a", count: 500)) == isFound)
  }

  @Test(
    "Backreferences and uncommon syntax are left to Swift's regular expressions",
    arguments: [
      ("(a)\\1", "xaa", true), ("a(?=b)", "ab", true), ("a(?!b)", "ab", false),
      ("(?i)HELLO", "say hello", true), ("\\bfoo\\b", "a foo b", true),
      ("[[:digit:]]+", "a1", true), ("\\x41", "A", true), ("[a-z&&[^b]]", "b", false),
      ("a++b", "aab", true), ("\\p{Lu}", "É", true),
    ])
  func others(pattern: String, text: String, isFound: Bool) throws {
    #expect(try !ElementPattern(pattern).isLinear)
    #expect(try matches(pattern, text) == isFound)
  }

  @Test(
    "An invalid pattern throws an error",
    arguments: ["(", "a)", "[a", "*", "a{2,1}", "\\"])
  func wrong(pattern: String) {
    #expect(throws: (any Error).self) { try ElementPattern(pattern) }
  }
}
