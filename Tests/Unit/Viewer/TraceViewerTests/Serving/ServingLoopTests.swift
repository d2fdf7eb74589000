import Foundation
import Testing

@testable import TerminalUI
@testable import trace_viewer

@Suite("The loop of a server")
struct ServingLoopTests {
  private static let tool = ToolSpec(
    name: "echo", summary: "Echo.", arguments: [.init(name: "text", kind: .text, isRequired: true)])

  private static func call(_ id: Int, _ text: String) -> String {
    """
    {"jsonrpc":"2.0","id":\(id),"method":"tools/call","params":{"name":"echo",\
    "arguments":{"text":"\(text)"}}}

    """
  }

  private static func cancel(_ id: Int) -> String {
    """
    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\(id)}}

    """
  }

  private static let initialize = """
    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}

    """

  /// Serves a pipe until its end. Returns the ids of the responses after the first one.
  private func serve(
    _ pipe: RequestPipe, run: @escaping (ToolCall) -> Void = { _ in }
  ) throws -> [Int] {
    let output = Output(descriptor: nil)
    var loop = ServingLoop(
      ToolServer(tools: [Self.tool], instructions: ""), input: pipe.input, output: output
    ) { call in
      run(call)
      return .success([call.texts["text"] ?? ""])
    }
    loop.serve()
    return try output.text.split(separator: "\n").dropFirst().map { line in
      let response = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return response?["id"] as? Int ?? -1
    }
  }

  @Test("Requests are answered in their order, and the end of the input ends the loop")
  func order() throws {
    let pipe = RequestPipe()
    pipe.write(Self.initialize + Self.call(1, "a") + Self.call(2, "b"))
    pipe.end()
    #expect(try serve(pipe) == [1, 2])
  }

  @Test("A request that was cancelled while it waited isn't run")
  func cancelWaiting() throws {
    let pipe = RequestPipe()
    pipe.write(Self.initialize + Self.call(1, "a") + Self.call(2, "b") + Self.cancel(2))
    pipe.end()
    var texts: [String] = []
    #expect(try serve(pipe) { texts.append($0.texts["text"] ?? "") } == [1])
    #expect(texts == ["a"])
  }

  @Test("A request that was cancelled while it ran has no response")
  func cancelRunning() throws {
    let pipe = RequestPipe()
    pipe.write(Self.initialize + Self.call(1, "a"))
    let ids = try serve(pipe) { call in
      guard call.texts["text"] == "a" else { return }
      pipe.write(Self.cancel(1) + Self.call(2, "b"))
      pipe.end()
    }
    #expect(ids == [2])
  }

  @Test("More calls than may wait are all answered")
  func many() throws {
    let pipe = RequestPipe()
    pipe.write(Self.initialize + (1...200).map { Self.call($0, "a") }.joined())
    pipe.end()
    #expect(try serve(pipe) == Array(1...200))
  }
}
