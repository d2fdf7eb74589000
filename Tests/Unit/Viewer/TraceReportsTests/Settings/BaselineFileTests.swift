import Testing

@testable import TraceAnalysis
@testable import TraceReports

@Suite("BaselineFile")
struct BaselineFileTests {
  private func entry(
    _ lane: String, _ count: Int, _ reason: String = "", file: String = "App/A.swift"
  ) -> Baseline.Entry {
    Baseline.Entry(
      Fingerprint(rule: "undisposed", lane: lane, file: file, function: "f()"), count: count,
      reason: reason)
  }

  private func sentence(_ text: String) -> String? {
    do throws(JSONError) {
      _ = try BaselineFile.read(Array(text.utf8))
      return nil
    } catch {
      return error.sentence(in: "b.json")
    }
  }

  @Test("A baseline file is sorted and has one line per entry")
  func writing() {
    #expect(
      BaselineFile.text(Baseline([entry("b", 2, "later"), entry("a", 1)])) == """
        {
          "format": "trace-viewer-baseline",
          "version": 1,
          "findings": [
            {"rule": "undisposed", "lane": "a", "file": "App/A.swift", "function": "f()", \
        "count": 1, "reason": ""},
            {"rule": "undisposed", "lane": "b", "file": "App/A.swift", "function": "f()", \
        "count": 2, "reason": "later"}
          ]
        }

        """)
    #expect(BaselineFile.text(Baseline()).contains("\"findings\": []"))
  }

  @Test("A baseline file can be read back, regardless of its text")
  func roundTrip() throws {
    let baseline = Baseline([
      entry("\u{1B}[2J\u{202E}\n::error::", 3, "\"quoted\" \\ ", file: ""), entry("", 1),
      entry("日本", 7),
    ])
    let text = BaselineFile.text(baseline)
    #expect(text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    #expect(try BaselineFile.read(Array(text.utf8)) == baseline)
  }

  @Test("Optional keys of an entry can be omitted")
  func short() throws {
    let text = """
      {"format": "trace-viewer-baseline", "version": 1,
       "findings": [{"rule": "burst", "lane": "a", "count": 2}]}
      """
    let fingerprint = Fingerprint(rule: "burst", lane: "a", file: "", function: "")
    #expect(
      try BaselineFile.read(Array(text.utf8)) == Baseline([Baseline.Entry(fingerprint, count: 2)]))
  }

  private static let head = #"{"format": "trace-viewer-baseline", "version": 1, "findings": "#

  @Test(
    "An error has the line and the key of the invalid value",
    arguments: [
      ("{\n,}", "b.json:2:1: "),
      ("[]", "b.json:1: '.' must be an object with a baseline, not an array"),
      ("{}", "b.json:1: '.' has no 'format'"),
      (#"{"format": "x"}"#, "b.json:1: '.format' must be 'trace-viewer-baseline', not a string"),
      (
        "{\"format\": \"trace-viewer-baseline\",\n\"version\": 2}",
        "b.json:2: '.version' must be 1 (line 2). A newer trace-viewer"
      ),
      (head + "3}", "b.json:1: '.findings' must be an array of findings, not 3"),
      (head + "[{}]}", "b.json:1: '.findings[0]' has no 'rule'"),
      (
        head + "[\n{\"rule\": \"a\", \"lane\": \"b\", \"count\": 0}]}",
        "b.json:2: '.findings[0].count' must be a positive integer, not 0"
      ),
      (
        head + "[\n{\"rule\": \"a\", \"lane\": \"b\", \"line\": 3}]}",
        "b.json:2: '.findings[0].line' is not a known key"
      ),
      (
        head + """
          [
          {"rule": "a", "lane": "b", "count": 1},
          {"rule": "a", "lane": "b", "count": 2, "reason": "twice"}]}
          """,
        "b.json:3: '.findings[1]' is a duplicate of line 2"
      ),
    ])
  func errors(text: String, start: String) {
    let sentence = sentence(text)
    #expect(sentence?.hasPrefix(start) == true, "\(sentence ?? "no error")")
  }
}
