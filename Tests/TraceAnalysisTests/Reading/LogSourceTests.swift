import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("LogSource")
struct LogSourceTests {
  private func error(_ path: String) -> LogError? {
    do throws(LogError) {
      let file = try LogSource(path: path)
      _ = try LogAnalysis.read(file)
      return nil
    } catch {
      return error
    }
  }

  @Test("says what is wrong with a file that cannot be read, and names it")
  func errors() {
    #expect(error("/nonexistent/log.jsonl")?.code == .cannotOpen)
    #expect(error("/nonexistent/log.jsonl")?.file == "/nonexistent/log.jsonl")
    #expect(error("/")?.code == .cannotOpen)
    #expect(error("/dev/null")?.code == .empty)
  }

  @Test("refuses a file without a record, and a version that it does not know")
  func contents() {
    func code(_ text: String) -> LogError.Code? {
      do throws(LogError) {
        _ = try LogAnalysis.read(LogSource(name: "x", bytes: Array(text.utf8)))
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("") == .empty)
    #expect(code("hello\n") == .noTraceLog)
    #expect(code("\0\0\n") == .noTraceLog)
    #expect(code(#"{"t":1,"event":"click"}"#) == .noTraceLog)
    #expect(code(#"{"t":0,"event":"trace","version":2}"#) == .newerVersion)
    #expect(code(#"{"t":0,"event":"trace","version":1}"#) == nil)
  }

  @Test(
    "says the version that it does not know as the log has it",
    arguments: [
      ("2", "2"), ("1.5", "1.5"), ("1e3", "1e3"), ("-1", "-1"), ("99999999999999999999", nil),
      (#""2.0 beta""#, "2.0 beta"),
    ] as [(String, String?)])
  func versions(version: String, shown: String?) throws {
    let line = #"{"t":0,"event":"trace","version":\#(version)}"#
    let error = #expect(throws: LogError.self) {
      try LogAnalysis.read(LogSource(name: "x", bytes: Array(line.utf8)))
    }
    #expect(error?.code == .newerVersion)
    let sentence =
      "The log has format version \(shown ?? version), and this program reads versions up to 1."
    #expect(error?.sentence.hasPrefix(sentence) == true)
  }

  @Test("takes a header without a version for no header", arguments: ["null", "true", "[1]"])
  func noVersion(version: String) {
    let line = #"{"t":0,"event":"trace","version":\#(version)}"#
    let error = #expect(throws: LogError.self) {
      try LogAnalysis.read(LogSource(name: "x", bytes: Array(line.utf8)))
    }
    #expect(error?.code == .noTraceLog)
  }
}
