import TraceFormat
import TraceReports

/// A message of JSON-RPC 2.0, as far as a server receives it.
enum RemoteMessage: Equatable {
  case request(RequestID, method: String, JSONValue?)
  case notification(method: String, JSONValue?)
  /// A response. This server doesn't send requests, so nothing waits for it.
  case response

  /// Parses a message.
  init(_ line: [UInt8]) throws(RemoteError) {
    let root: JSONValue
    do {
      root = try JSONDocument(line).root
    } catch {
      throw RemoteError(.parse, "Parse error: \(error)")
    }
    guard case .object = root.content else {
      throw RemoteError(.invalidRequest, "A message must be one JSON object, not \(root.kind).")
    }
    let id = root["id"].flatMap(RequestID.init)
    guard root["jsonrpc"]?.string == "2.0" else {
      throw RemoteError(.invalidRequest, "\"jsonrpc\" must be \"2.0\".", id: id)
    }
    guard let method = root["method"] else {
      if root["result"] != nil || root["error"] != nil {
        self = .response
        return
      }
      throw RemoteError(.invalidRequest, "\"method\" is missing.", id: id)
    }
    guard let method = method.string else {
      throw RemoteError(.invalidRequest, "\"method\" must be a string.", id: id)
    }
    let parameters = root["params"]
    if let parameters, parameters.members == nil {
      throw RemoteError(.invalidRequest, "\"params\" must be an object.", id: id)
    }
    guard root["id"] != nil else {
      self = .notification(method: method, parameters)
      return
    }
    guard let id else {
      throw RemoteError(.invalidRequest, "\"id\" must be a string or an integer.")
    }
    self = .request(id, method: method, parameters)
  }
}

/// The id that a client gave to a request.
enum RequestID: Hashable {
  case text(String)
  case number(Int)

  init?(_ value: JSONValue) {
    switch value.content {
    case .string(let text): self = .text(text)
    case .integer(let number): self = .number(number)
    default: return nil
    }
  }

  func write(_ key: String, to json: inout JSONWriter) {
    switch self {
    case .text(let text): json.string(key, text)
    case .number(let number): json.integer(key, number)
    }
  }
}

/// The reason why a message can't be answered with a result.
struct RemoteError: Error, Equatable {
  /// The codes of JSON-RPC, and that of the protocol for an unknown version.
  enum Code: Int {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case unsupportedVersion = -32022
  }

  let code: Code
  let sentence: String
  /// The request, if its id could be read.
  var id: RequestID?
  /// The version that was requested, if it isn't supported.
  var requested: String?

  init(_ code: Code, _ sentence: String, id: RequestID? = nil, requested: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.id = id
    self.requested = requested
  }
}

extension JSONValue {
  /// The members, or nil if this isn't an object.
  var members: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }
}
