import Testing

@testable import TraceReports

@Suite("JSONNode")
struct JSONNodeTests {
  private enum Size: String, CaseIterable {
    case small, large
  }

  /// Returns the error from reading the member `x` of an object in line 2.
  private func sentence<T>(_ value: String, _ read: (JSONNode) throws(JSONError) -> T) -> String? {
    do throws(JSONError) {
      let members = try JSONDocument("{\n\"x\": \(value)}").node.members()
      for member in members { _ = try read(member.node) }
      return nil
    } catch {
      #expect(error.code == .content)
      #expect(error.line == 2)
      return error.description
    }
  }

  @Test("JSON values are read as their types")
  func values() throws {
    let document = try JSONDocument(
      #"{"s": "a", "e": "", "i": 3, "w": 3.0, "d": 2.5, "b": true, "l": [1], "z": "large"}"#)
    let nodes = try document.node.members(only: ["s", "e", "i", "w", "d", "b", "l", "z", "no"])
    #expect(nodes["no"] == nil)
    #expect(try nodes["s"]?.string() == "a")
    #expect(try nodes["s"]?.text() == "a")
    #expect(try nodes["e"]?.string() == "")
    #expect(try nodes["i"]?.integer(atLeast: 3) == 3)
    #expect(try nodes["w"]?.integer() == 3)
    #expect(try nodes["i"]?.number(atLeast: 0) == 3)
    #expect(try nodes["d"]?.number() == 2.5)
    #expect(try nodes["b"]?.bool() == true)
    #expect(try nodes["l"]?.elements().map(\.path) == [".l[0]"])
    #expect(try nodes["z"]?.word(Size.self) == .large)
  }

  @Test("An error about a wrong type has the path, the expected type and the actual value")
  func wrongTypes() {
    #expect(
      sentence("\"3\"") { n throws(JSONError) in try n.integer(atLeast: 1) }
        == "'.x' must be a positive integer, not a string (line 2).")
    #expect(
      sentence("0") { n throws(JSONError) in try n.integer(atLeast: 1) }
        == "'.x' must be a positive integer, not 0 (line 2).")
    #expect(
      sentence("2.5") { n throws(JSONError) in try n.integer() }
        == "'.x' must be an integer, not 2.5 (line 2).")
    #expect(
      sentence("1e300") { n throws(JSONError) in try n.integer(atLeast: 2) }
        == "'.x' must be an integer of 2 or more, not 1e+300 (line 2).")
    #expect(
      sentence("-1") { n throws(JSONError) in try n.number(atLeast: 0) }
        == "'.x' must be a number of 0 or more, not -1 (line 2).")
    #expect(
      sentence("null") { n throws(JSONError) in try n.number() }
        == "'.x' must be a number, not null (line 2).")
    #expect(
      sentence("[]") { n throws(JSONError) in try n.string() }
        == "'.x' must be a string, not an array (line 2).")
    #expect(
      sentence("\"\"") { n throws(JSONError) in try n.text() }
        == "'.x' must be a nonempty string, not an empty string (line 2).")
    #expect(
      sentence("1") { n throws(JSONError) in try n.bool() }
        == "'.x' must be true or false, not 1 (line 2).")
    #expect(
      sentence("true") { n throws(JSONError) in try n.elements() }
        == "'.x' must be an array, not true (line 2).")
    #expect(
      sentence("{\"y\": [0, false]}") { n throws(JSONError) in
        for member in try n.members() { _ = try member.node.elements()[1].members() }
      } == "'.x.y[1]' must be an object, not false (line 2).")
    #expect(
      sentence("\"lrage\"") { n throws(JSONError) in try n.word(Size.self) }
        == "'.x' must be one of 'small', 'large', not 'lrage' (line 2). Did you mean 'large'?")
  }

  @Test("An error about an unknown key lists the known ones")
  func unknownKeys() {
    #expect(
      sentence("{\"pth\": 1}") { n throws(JSONError) in try n.members(only: ["path", "line"]) }
        == "'.x.pth' is not a known key (line 2). Did you mean 'path'? Known: path, line.")
    let long = String(repeating: "k", count: 100_000)
    let sentence =
      sentence("{\"\(long)\": 1}") { n throws(JSONError) in try n.members(only: ["path"]) } ?? ""
    #expect(sentence.hasSuffix("kkk...' is not a known key (line 2). Known: path."))
    #expect(sentence.utf8.count < 200)
  }

  @Test("Paths of unusual JSON keys are unambiguous")
  func paths() throws {
    let node = try JSONDocument(#"{"a.b": 1, "": 2, "a-b": 3, "$schema": 4, "é": 5}"#).node
    #expect(
      try node.members().map(\.node.path) == [
        #"["a.b"]"#, #"[""]"#, ".a-b", ".$schema", #"["é"]"#,
      ])
    do throws(JSONError) {
      _ = try node.elements()
      Issue.record("an object was read as an array")
    } catch {
      #expect(error.description == "'.' must be an array, not an object (line 1).")
    }
  }
}
