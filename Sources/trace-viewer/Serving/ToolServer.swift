import TraceFormat
import TraceReports
import ViewerConsole

/// The server's side of the Model Context Protocol, without input and output.
///
/// It speaks the revision 2026-07-28, in which each request names its version, and the earlier ones
/// that begin with `initialize`. Except for that, requests don't depend on each other.
struct ToolServer {
  /// The revisions in which each request has its version in `_meta`.
  static let versions = ["2026-07-28"]
  /// The revisions that begin with `initialize`, the newest first.
  static let earlierVersions = ["2025-11-25", "2025-06-18", "2024-11-05"]

  enum Reaction: Equatable {
    /// The line of the response.
    case respond(String)
    case call(PendingCall)
    case cancel(RequestID)
    case none
  }

  /// A call whose response hasn't been sent.
  struct PendingCall: Equatable {
    let id: RequestID
    let call: ToolCall
    fileprivate let era: Era
  }

  /// How a request names its version.
  fileprivate enum Era: Equatable {
    case current, earlier
  }

  let tools: [ToolSpec]
  /// A sentence or two for the model about all tools.
  let instructions: String
  /// A Boolean value that indicates whether the client has begun with `initialize`.
  private var isInitialized = false

  init(tools: [ToolSpec], instructions: String) {
    self.tools = tools
    self.instructions = instructions
  }

  // MARK: Messages

  /// Returns what to do about a line.
  mutating func receive(_ line: [UInt8]) -> Reaction {
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return .none }
    do throws(RemoteError) {
      switch try RemoteMessage(line) {
      case .response: return .none
      case .notification("notifications/cancelled", let parameters):
        return parameters?["requestId"].flatMap(RequestID.init).map { .cancel($0) } ?? .none
      case .notification: return .none
      case .request(let id, let method, let parameters):
        do throws(RemoteError) {
          return try answer(id, method, parameters)
        } catch {
          var error = error
          error.id = id
          throw error
        }
      }
    } catch {
      return .respond(Self.response(error))
    }
  }

  private mutating func answer(
    _ id: RequestID, _ method: String, _ parameters: JSONValue?
  ) throws(RemoteError) -> Reaction {
    switch method {
    case "initialize": return .respond(try initialize(id, parameters))
    case "server/discover", "tools/list", "tools/call", "ping": break
    default: throw RemoteError(.unknownMethod, "Unknown method: \(JSONError.cut(method))")
    }
    let era = try era(parameters)
    switch (method, era) {
    case ("tools/list", _): return .respond(try list(id, parameters, era))
    case ("tools/call", _): return try call(id, parameters, era)
    case ("ping", .earlier): return .respond(Self.response(id) { _ in })
    case ("server/discover", .current): return .respond(discover(id))
    default: throw RemoteError(.unknownMethod, "This revision doesn't have the method \(method).")
    }
  }

  /// Returns how a request names its version.
  private func era(_ parameters: JSONValue?) throws(RemoteError) -> Era {
    let metadata = parameters?["_meta"]
    guard let version = metadata?["io.modelcontextprotocol/protocolVersion"] else {
      guard isInitialized else {
        throw RemoteError(
          .invalidParameters,
          """
          "_meta" has no "io.modelcontextprotocol/protocolVersion". Clients of \
          \(Self.earlierVersions[0]) and earlier begin with "initialize".
          """)
      }
      return .earlier
    }
    guard let version = version.string else {
      throw RemoteError(.invalidParameters, "The protocol version must be a string.")
    }
    guard Self.versions.contains(version) else {
      throw RemoteError(
        .unsupportedVersion, "Unsupported protocol version", requested: JSONError.cut(version))
    }
    guard metadata?["io.modelcontextprotocol/clientCapabilities"]?.members != nil else {
      throw RemoteError(
        .invalidParameters,
        #""_meta" has no "io.modelcontextprotocol/clientCapabilities", which must be an object."#)
    }
    return .current
  }

  // MARK: Answers

  private mutating func initialize(
    _ id: RequestID, _ parameters: JSONValue?
  ) throws(RemoteError) -> String {
    guard let version = parameters?["protocolVersion"]?.string else {
      throw RemoteError(.invalidParameters, #""protocolVersion" must be a string."#)
    }
    isInitialized = true
    return Self.response(id) { json in
      json.string(
        "protocolVersion",
        Self.earlierVersions.contains(version) ? version : Self.earlierVersions[0])
      json.object("capabilities") { $0.object("tools") { _ in } }
      Self.writeServer("serverInfo", to: &json)
      json.string("instructions", instructions)
    }
  }

  private func discover(_ id: RequestID) -> String {
    Self.response(id, .current) { json in
      json.array("supportedVersions") { json in
        for version in Self.versions { json.string(nil, version) }
      }
      json.object("capabilities") { $0.object("tools") { _ in } }
      json.string("instructions", instructions)
      Self.writeLifetime(to: &json)
    }
  }

  private func list(
    _ id: RequestID, _ parameters: JSONValue?, _ era: Era
  ) throws(RemoteError) -> String {
    if let cursor = parameters?["cursor"], cursor.content != .null {
      throw RemoteError(.invalidParameters, "The list of tools has only one page.")
    }
    return Self.response(id, era) { json in
      json.array("tools") { json in for tool in tools { tool.write(to: &json) } }
      if era == .current { Self.writeLifetime(to: &json) }
    }
  }

  private func call(
    _ id: RequestID, _ parameters: JSONValue?, _ era: Era
  ) throws(RemoteError) -> Reaction {
    guard let name = parameters?["name"]?.string else {
      throw RemoteError(.invalidParameters, #""name" must be the name of a tool."#)
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      throw RemoteError(.invalidParameters, "Unknown tool: \(JSONError.cut(name))")
    }
    let arguments = parameters?["arguments"]
    if let arguments, arguments.members == nil {
      throw RemoteError(.invalidParameters, #""arguments" must be an object."#)
    }
    do throws(ToolError) {
      return .call(PendingCall(id: id, call: try ToolCall(tool, arguments), era: era))
    } catch {
      // A model can correct its arguments, which it can't if the request fails.
      return .respond(Self.result(id, era, [error.sentence], isError: true))
    }
  }

  // MARK: Lines

  /// Returns the line of the response to a call.
  static func response(to pending: PendingCall, _ result: Result<[String], ToolError>) -> String {
    switch result {
    case .success(let texts): Self.result(pending.id, pending.era, texts, isError: false)
    case .failure(let error):
      Self.result(pending.id, pending.era, [error.sentence], isError: true)
    }
  }

  /// Returns the line of the response to a line that is too long.
  static func tooLong(maxBytes: Int) -> String {
    response(RemoteError(.invalidRequest, "A message may have at most \(maxBytes) bytes."))
  }

  private static func result(
    _ id: RequestID, _ era: Era, _ texts: [String], isError: Bool
  ) -> String {
    response(id, era) { json in
      json.array("content") { json in
        for text in texts {
          json.object { json in
            json.string("type", "text")
            json.string("text", text)
          }
        }
      }
      json.bool("isError", isError)
    }
  }

  private static func response(
    _ id: RequestID, _ era: Era = .earlier, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("jsonrpc", "2.0")
      id.write("id", to: &json)
      json.object("result") { json in
        if era == .current { json.string("resultType", "complete") }
        members(&json)
        if era == .current {
          json.object("_meta") { writeServer("io.modelcontextprotocol/serverInfo", to: &$0) }
        }
      }
    }
    return json.text
  }

  private static func response(_ error: RemoteError) -> String {
    var json = JSONWriter(.compact)
    json.object { json in
      json.string("jsonrpc", "2.0")
      if let id = error.id { id.write("id", to: &json) } else { json.null("id") }
      json.object("error") { json in
        json.integer("code", error.code.rawValue)
        json.string("message", error.sentence)
        guard let requested = error.requested else { return }
        json.object("data") { json in
          json.array("supported") { json in for version in versions { json.string(nil, version) } }
          json.string("requested", requested)
        }
      }
    }
    return json.text
  }

  private static func writeServer(_ key: String, to json: inout JSONWriter) {
    json.object(key) { json in
      json.string("name", ProgramInfo.name)
      json.string("version", ProgramInfo.version)
    }
  }

  /// Writes for how long clients may keep an answer that doesn't change while the server runs: an
  /// hour.
  private static func writeLifetime(to json: inout JSONWriter) {
    json.integer("ttlMs", 3_600_000)
    json.string("cacheScope", "public")
  }
}
