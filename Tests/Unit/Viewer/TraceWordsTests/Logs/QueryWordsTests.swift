import Testing

@testable import TraceAnalysis
@testable import TraceWords

@Suite("Words about queries")
struct QueryWordsTests {
  @Test("Every listed term can be typed, and every name is listed")
  func terms() throws {
    for (term, _) in QueryWords.terms where !term.contains(",") { _ = try Query(term) }
    for name in Query.beginnings {
      #expect(QueryWords.terms.contains { " \($0.term) ".contains(" " + name) }, "\(name)")
    }
  }

  @Test(
    "A problem is a sentence that names the place",
    arguments: [
      (
        "x color:red",
        "Unknown name 'color:' at character 3. Use lane, source, scope, thread, value, error, "
          + "state, process, rule, id, has, alive, life>1s, elements>10, start<2s, or quotes "
          + "around the text."
      ),
      (
        "state:busy",
        "Unknown state 'busy' at character 7. Use active, completed, failed, disposed, released."
      ),
      ("lane:", "Enter a value after 'lane:' at character 1."),
      ("life>soon", "'soon' after life at character 6 must be a time, as in 1.5s."),
      ("elements>x", "'x' after elements at character 10 must be a number, as in elements>10."),
      ("id:x", "'x' after id: at character 4 must be a number, as in id:7."),
      ("a -", "'-' at character 3 needs a term after it."),
      ("or a", "'or' at character 1 needs a term before and after it."),
      ("has:luck", "Unknown value 'luck' after has: at character 5. Use finding."),
      (
        "alive:200%",
        "'200%' after alive: at character 7 must be from 0% to 100%, a time, or the name of a mark."
      ),
      (
        "/a",
        "The '/' at character 1 begins a regular expression. End it with another '/', or use "
          + "quotes."
      ),
      ("(a", "The '(' at character 1 has no ')'."), ("()", "The '(' at character 1 has no terms."),
      ("a)", "The ')' at character 2 has no '('. For text with parentheses, use quotes."),
    ])
  func problems(text: String, sentence: String) {
    do throws(QueryError) {
      _ = try Query(text)
      Issue.record("The query is accepted.")
    } catch {
      #expect(error.sentence == sentence)
    }
  }
}
