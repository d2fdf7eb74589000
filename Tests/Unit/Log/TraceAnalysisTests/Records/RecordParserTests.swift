import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("RecordParser")
struct RecordParserTests {
  private func parse(_ line: String) throws(LineFault) -> String {
    var parser = RecordParser()
    var result = Result<String, LineFault>.failure(.cut)
    Array(line.utf8).withUnsafeBufferPointer { bytes in
      do throws(LineFault) {
        result = .success(note(try parser.parse(bytes)))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }

  @Test(
    "The parser reads every kind of record",
    arguments: [
      (#"{"t":8,"event":"thread","thread":1,"name":"main"}"#, "8 thread 1 main"),
      (
        #"{"t":9,"event":"subscribe","sub":2,"lane":"a","thread":1,"op":"lane","parent":1}"#,
        "9 subscribe #2 a #1"
      ),
      (#"{"t":9,"event":"next","sub":2,"lane":"a","value":"v","thread":1}"#, "9 next #2 v"),
      (
        #"{"t":9,"event":"next","sub":2,"lane":"a","value":"v","truncated":9,"thread":1}"#,
        "9 next #2 v"
      ),
      (#"{"t":9,"event":"failed","sub":2,"lane":"a","error":"E","thread":1}"#, "9 failed #2 E"),
      (#"{"t":9,"event":"completed","sub":2,"lane":"a","thread":1}"#, "9 completed #2"),
      (#"{"t":9,"event":"disposed","sub":2,"lane":"a","thread":1}"#, "9 disposed #2"),
      (#"{"t":9,"event":"released","sub":2,"lane":"a","thread":1}"#, "9 released #2"),
      (#"{"t":9,"event":"breakpoint","sub":2,"lane":"a","on":"next"}"#, "9 breakpoint #2"),
      (#"{"t":9,"event":"mark","name":"here"}"#, "9 mark here"),
      (#"{"t":9,"event":"scope-begin","scope":3,"name":"s"}"#, "9 scope-begin 3 s"),
      (#"{"t":9,"event":"scope-end","scope":3}"#, "9 scope-end 3"),
      (#"{"t":9,"event":"scope-end","scope":3,"name":"s2"}"#, "9 scope-end 3 s2"),
      (#"{"t":9,"event":"lost","count":3,"reason":"full"}"#, "9 lost 3 full"),
      (#"{"t":9,"event":"end","records":5,"lost":1}"#, "9 end 5 1"),
      (#"{"t":9,"event":"of a later version","sub":1}"#, "9 unknown"),
    ])
  func kinds(line: String, note: String) throws {
    #expect(try parse(line) == note)
  }

  @Test(
    "The parser accepts valid JSON with any order, spacing, escapes and unknown keys",
    arguments: [
      #"{"event":"next","value":"v","lane":"a","thread":1,"sub":2,"t":9}"#,
      #"  { "t" : 9 , "event" : "next" , "sub" : 2 , "value" : "v" }  "#,
      #"{"\u0074":9,"\u0065vent":"n\u0065xt","sub":2,"value":"\u0076"}"#,
      #"""
      {"t":9,"event":"next","sub":2,"x":{"y":[1,-2.5e+3,{},[],null,true,false,"z"]},"value":"v"}
      """#,
      #"{"t":1,"event":"next","sub":2,"value":"w","t":9,"value":"v"}"#,
      #"{"t":9,"event":"next","sub":2,"lane":null,"thread":"one","value":"v"}"#,
    ])
  func anyObject(line: String) throws {
    #expect(try parse(line) == "9 next #2 v")
  }

  @Test(
    "The parser decodes escapes",
    arguments: [
      (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#"\u00e9 \ud83d\ude00"#, "é 😀"),
      (#"\ud83d, \ude00, \ud83dx, \ud83d\u0041"#, "\u{FFFD}, \u{FFFD}, \u{FFFD}x, \u{FFFD}A"),
      ("日本語 👩‍👧", "日本語 👩‍👧"),
    ])
  func escapes(text: String, expected: String) throws {
    let line = #"{"t":1,"event":"next","sub":1,"lane":"a","value":"\#(text)"}"#
    #expect(try parse(line) == "1 next #1 \(expected)")
  }

  @Test("The parser accepts the largest 64-bit numbers and rejects larger ones")
  func largeNumbers() throws {
    let line = { (id: String) in #"{"t":1,"event":"disposed","sub":\#(id),"lane":"a"}"# }
    #expect(try parse(line("9223372036854775808")) == "1 disposed #9223372036854775808")
    #expect(try parse(line("18446744073709551615")) == "1 disposed #18446744073709551615")
    for number in ["18446744073709551616", "99999999999999999999999", "-1", "1.0", "1e3", "0"] {
      #expect(throws: LineFault.incomplete, "\(number)") { try parse(line(number)) }
    }
  }

  @Test(
    "The parser rejects lines that aren't JSON objects",
    arguments: [
      "text", "[1]", "12", "null", #"{"t":1,}"#, #"{"t":01}"#, #"{"t":1}x"#, #"{'t':1}"#,
      #"{"t":1 "event":"next"}"#, #"{"t":"\x"}"#, #"{"t":"\u12g4"}"#, "{\"t\":\"a\u{1}\"}",
      #"{"t":1,"event":"mark"}{"t":1,"event":"mark"}"#, #"{"t":+1}"#, #"{"t":.5}"#, #"{"t":nul}"#,
      #"{"x":"# + String(repeating: "[", count: 200_000) + "}",
    ])
  func malformed(line: String) {
    #expect(throws: LineFault.malformed) { try parse(line) }
  }

  @Test(
    "A line that a killed thread left unfinished is neither damage nor a known record",
    arguments: [
      #"{"t":1204}"#, #"{"t":1204,"event":"-ex"}"#, #"{"t":1204,"event":"-ext","sub":1}"#,
    ])
  func unfinished(line: String) throws {
    #expect(try parse(line).hasSuffix(" unknown"))
  }

  @Test(
    "An object without the required keys is incomplete",
    arguments: [
      "{}", #"{"event":"mark"}"#, #"{"t":"1","event":"mark"}"#,
      #"{"t":1,"event":"next","lane":"a"}"#, #"{"t":1,"event":"next","sub":0,"lane":"a"}"#,
      #"{"t":1,"event":"trace"}"#,
    ])
  func incomplete(line: String) {
    #expect(throws: LineFault.incomplete) { try parse(line) }
  }
}
