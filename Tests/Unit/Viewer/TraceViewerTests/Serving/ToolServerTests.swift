import Foundation
import Testing

@testable import trace_viewer

@Suite("The server of the Model Context Protocol")
struct ToolServerTests {
  private static let metadata = """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
    "io.modelcontextprotocol/clientCapabilities":{}}
    """
  private static let tool = ToolSpec(
    name: "count", summary: "Count.",
    arguments: [
      .init(name: "log", kind: .text, isRequired: true, meaning: "Path"),
      .init(name: "limit", kind: .integer(1...9)),
      .init(name: "all", kind: .flag),
      .init(name: "state", kind: .choice(["active", "failed"])),
    ])

  private static func server(initialized: Bool = false) -> ToolServer {
    var server = ToolServer(tools: [tool], instructions: "Count first.")
    if initialized {
      let parameters = #"{"protocolVersion":"2025-11-25"}"#
      _ = receive(
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":\#(parameters)}"#, &server)
    }
    return server
  }

  private static func receive(_ line: String, _ server: inout ToolServer) -> ToolServer.Reaction {
    server.receive(Array(line.utf8))
  }

  /// Returns the response to a line.
  private static func response(_ line: String, initialized: Bool = false) throws -> [String: Any] {
    var server = server(initialized: initialized)
    guard case .respond(let text) = receive(line, &server) else {
      Issue.record("Not answered: \(line)")
      return [:]
    }
    #expect(!text.contains("\n"))
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static func request(_ method: String, _ more: String = "") -> String {
    #"{"jsonrpc":"2.0","id":"a","method":"\#(method)","params":{\#(more)\#(metadata)}}"#
  }

  private static func code(_ response: [String: Any]) -> Int? {
    (response["error"] as? [String: Any])?["code"] as? Int
  }

  @Test(
    "A line that isn't a request is an error with the code of JSON-RPC and the id if it has one",
    arguments: [
      ("{", -32700), ("{}", -32600), ("7", -32600), ("[]", -32600), ("\u{0}", -32700),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32602),
    ])
  func wrongLines(line: String, code: Int) throws {
    let response = try Self.response(line)
    #expect(Self.code(response) == code)
    let hasID = line.contains(#""id":1,"#) || line.hasSuffix(#""id":1}"#)
    #expect(response["id"] as? Int == (hasID ? 1 : nil))
    #expect(response.keys.contains("id"))
  }

  @Test("Notifications, responses and empty lines are not answered")
  func silence() {
    for line in [
      "", " \r", #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","method":"unknown"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
    ] {
      var server = Self.server()
      #expect(Self.receive(line, &server) == .none, "\(line)")
    }
    var server = Self.server()
    let line =
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#
    #expect(Self.receive(line, &server) == .cancel(.text("a")))
  }

  @Test("A request names its version, and the response says who answered")
  func current() throws {
    let response = try Self.response(Self.request("server/discover"))
    #expect(response["id"] as? String == "a")
    let result = try #require(response["result"] as? [String: Any])
    #expect(result["supportedVersions"] as? [String] == ["2026-07-28"])
    #expect(result["resultType"] as? String == "complete")
    #expect(result["instructions"] as? String == "Count first.")
    #expect(result["ttlMs"] as? Int != nil)
    let metadata = result["_meta"] as? [String: [String: String]]
    #expect(metadata?["io.modelcontextprotocol/serverInfo"]?["name"] == "trace-viewer")
    #expect(Self.code(try Self.response(Self.request("ping"))) == -32601)
  }

  @Test("An unsupported version is an error that lists the supported ones")
  func unsupported() throws {
    let line = Self.request("tools/list").replacing("2026-07-28", with: "1900-01-01")
    let response = try Self.response(line)
    #expect(Self.code(response) == -32022)
    let data = (response["error"] as? [String: Any])?["data"] as? [String: Any]
    #expect(data?["supported"] as? [String] == ["2026-07-28"])
    #expect(data?["requested"] as? String == "1900-01-01")
    let incomplete = Self.request("tools/list").replacing("clientCapabilities", with: "other")
    #expect(Self.code(try Self.response(incomplete)) == -32602)
  }

  @Test(
    "After initialize, requests need no version",
    arguments: [
      ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-11-25"),
    ])
  func earlier(requested: String, expected: String) throws {
    let response = try Self.response(
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\(requested)",\
      "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
      """)
    let result = try #require(response["result"] as? [String: Any])
    #expect(result["protocolVersion"] as? String == expected)
    #expect((result["serverInfo"] as? [String: String])?["name"] == "trace-viewer")
    let ping = try Self.response(#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#, initialized: true)
    #expect((ping["result"] as? [String: Any])?.isEmpty == true)
    let list = try Self.response(
      #"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#, initialized: true)
    #expect((list["result"] as? [String: Any])?.keys.sorted() == ["tools"])
  }

  @Test("A tool is listed with the schema of its arguments")
  func list() throws {
    let response = try Self.response(Self.request("tools/list"))
    let tools = (response["result"] as? [String: Any])?["tools"] as? [[String: Any]]
    let schema = try #require(tools?.first?["inputSchema"] as? [String: Any])
    #expect(schema["required"] as? [String] == ["log"])
    let properties = schema["properties"] as? [String: [String: Any]]
    #expect(properties?["limit"]?["maximum"] as? Int == 9)
    #expect(properties?["state"]?["enum"] as? [String] == ["active", "failed"])
    #expect(Self.code(try Self.response(Self.request("tools/list", #""cursor":"x","#))) == -32602)
  }

  @Test("A call has its arguments, and its response their result")
  func call() throws {
    var server = Self.server()
    let line = Self.request(
      "tools/call",
      #""name":"count","arguments":{"log":"a","limit":3,"all":true,"state":"failed"},"#)
    guard case .call(let pending) = Self.receive(line, &server) else {
      Issue.record("The call isn't one.")
      return
    }
    #expect(pending.call.texts == ["log": "a", "state": "failed"])
    #expect(pending.call.integers == ["limit": 3])
    #expect(pending.call.flags == ["all": true])
    let text = ToolServer.response(to: pending, .success(["one\ntwo"]))
    #expect(text.contains(#""id":"a""#) && text.contains(#""text":"one\ntwo""#))
    #expect(text.contains(#""isError":false"#))
    let failure = ToolServer.response(to: pending, .failure(ToolError("No.")))
    #expect(failure.contains(#""text":"No.""#) && failure.contains(#""isError":true"#))
  }

  @Test(
    "Wrong arguments are a result that says what is wrong, so that a model can correct them",
    arguments: [
      ("{}", "needs the argument 'log'"), (#"{"log":7}"#, "must be a nonempty string"),
      (#"{"log":""}"#, "nonempty"), (#"{"log":"a\u0000"}"#, "nonempty"),
      (#"{"log":"a","limit":10}"#, "an integer from 1 to 9"),
      (#"{"log":"a","limit":1.5}"#, "an integer"), (#"{"log":"a","all":1}"#, "true or false"),
      (#"{"log":"a","state":"x"}"#, "one of active, failed"),
      (#"{"log":"a","more":1}"#, "no argument 'more'"),
    ])
  func wrongArguments(arguments: String, sentence: String) throws {
    let response = try Self.response(
      Self.request("tools/call", #""name":"count","arguments":\#(arguments),"#))
    let result = try #require(response["result"] as? [String: Any])
    #expect(result["isError"] as? Bool == true)
    let content = result["content"] as? [[String: String]]
    #expect(content?.first?["text"]?.contains(sentence) == true, "\(content ?? [])")
  }

  @Test(
    "A call of an unknown tool, or without a tool, is an error",
    arguments: [#""name":"other","#, #""name":7,"#, "", #""name":"count","arguments":[],"#])
  func wrongCalls(members: String) throws {
    #expect(Self.code(try Self.response(Self.request("tools/call", members))) == -32602)
  }
}
