import Testing

@testable import ReactiveTrace

@Suite("Messages to the Timelane instrument")
struct TimelaneTextTests {
  private func texts(_ json: String, source: String = "M/F.swift:1") throws -> [String] {
    let record = try #require(Trace.Record(line: Array((json + "\n").utf8)))
    return TimelaneText.texts(of: record, source: source).map { "\($0.kind) \($0.text)" }
  }

  @Test("Messages follow version 2 of the Timelane protocol")
  func words() throws {
    #expect(TimelaneText.version.text == "version:2")
    #expect(
      try texts(#"{"t":1,"event":"subscribe","sub":7,"lane":"a"}"#)
        == ["begin subscribe:a###source:M/F.swift:1###id:7"])
    #expect(
      try texts(#"{"t":1,"event":"next","sub":7,"lane":"a","value":"v"}"#)
        == ["event subscription:a###type:Output###value:v###source:M/F.swift:1###id:7"])
    #expect(
      try texts(#"{"t":1,"event":"completed","sub":7,"lane":"a"}"#)
        == [
          "event subscription:a###type:Completed###value:###source:M/F.swift:1###id:7",
          "end completion:3###error:",
        ])
    #expect(
      try texts(#"{"t":1,"event":"failed","sub":7,"lane":"a","error":"E"}"#)
        == [
          "event subscription:a###type:Error###value:E###source:M/F.swift:1###id:7",
          "end completion:2###error:E",
        ])
    for event in ["disposed", "released"] {
      #expect(
        try texts(#"{"t":1,"event":"\#(event)","sub":7,"lane":"a"}"#)
          == [
            "event subscription:a###type:Cancelled###value:###source:M/F.swift:1###id:7",
            "end completion:1###error:",
          ])
    }
  }

  @Test("Records that aren't events of a subscription don't produce messages")
  func others() throws {
    #expect(try texts(#"{"t":1,"event":"mark","name":"a"}"#) == [])
    #expect(try texts(#"{"t":1,"event":"breakpoint","sub":1,"lane":"a"}"#) == [])
  }

  @Test(
    "A value in a message never contains the separator",
    arguments: ["###", "a####b", "##########", "#", "##", "a"])
  func harmless(value: String) {
    let text = TimelaneText.harmless(value)
    #expect(!text.contains("###"))
    #expect(
      text.filter { $0 != "\u{200B}" }.replacing("\u{200B}", with: "").contains("#")
        == value.contains("#"))
    #expect(String(text.unicodeScalars.filter { $0 != "\u{200B}" }) == value)
  }

  @Test("Separators in names don't add fields to a message")
  func fields() throws {
    let json = ##"{"t":1,"event":"next","sub":7,"lane":"l###id:9","value":"v###source:x"}"##
    let text = try #require(try texts(json, source: "s###s").first)
    #expect(text.components(separatedBy: "###").count == 5)
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    var rest = self[...]
    var parts: [Substring] = []
    while let range = rest.firstRange(of: separator) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
