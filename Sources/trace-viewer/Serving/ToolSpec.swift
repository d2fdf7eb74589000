import TraceFormat
import TraceReports

/// A tool that clients call: its name, what it does, and what it takes.
struct ToolSpec {
  struct Argument {
    enum Kind: Equatable {
      case text
      case integer(ClosedRange<Int>)
      case flag
      case choice([String])
    }

    let name: String
    let kind: Kind
    var isRequired = false
    /// What the argument means, if its name doesn't say it.
    var meaning = ""
  }

  let name: String
  let summary: String
  let arguments: [Argument]

  /// Writes the definition that clients show to a model.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.string("name", name)
      json.string("description", summary)
      json.object("inputSchema") { json in
        json.string("type", "object")
        json.object("properties") { json in
          for argument in arguments { Self.write(argument, to: &json) }
        }
        let required = arguments.filter(\.isRequired)
        if !required.isEmpty {
          json.array("required") { json in
            for argument in required { json.string(nil, argument.name) }
          }
        }
        json.bool("additionalProperties", false)
      }
      json.object("annotations") { json in
        json.bool("readOnlyHint", true)
        json.bool("openWorldHint", false)
      }
    }
  }

  private static func write(_ argument: Argument, to json: inout JSONWriter) {
    json.object(argument.name) { json in
      switch argument.kind {
      case .text: json.string("type", "string")
      case .integer(let range):
        json.string("type", "integer")
        json.integer("minimum", range.lowerBound)
        json.integer("maximum", range.upperBound)
      case .flag: json.string("type", "boolean")
      case .choice(let words):
        json.string("type", "string")
        json.array("enum") { json in for word in words { json.string(nil, word) } }
      }
      if !argument.meaning.isEmpty { json.string("description", argument.meaning) }
    }
  }
}

/// A call of a tool whose arguments have the declared types.
struct ToolCall: Equatable {
  let tool: String
  private(set) var texts: [String: String] = [:]
  private(set) var integers: [String: Int] = [:]
  private(set) var flags: [String: Bool] = [:]

  /// Checks the arguments of a call.
  ///
  /// - Parameter values: An object; nil for a call without arguments.
  init(_ tool: ToolSpec, _ values: JSONValue?) throws(ToolError) {
    self.tool = tool.name
    for member in values?.members ?? [] {
      guard let argument = tool.arguments.first(where: { $0.name == member.key }) else {
        let known = tool.arguments.map { "'\($0.name)'" }.joined(separator: ", ")
        throw ToolError(
          "'\(tool.name)' has no argument '\(JSONError.cut(member.key))'. It takes \(known).")
      }
      try read(member.value, argument)
    }
    for argument in tool.arguments where argument.isRequired && values?[argument.name] == nil {
      throw ToolError("'\(tool.name)' needs the argument '\(argument.name)'.")
    }
  }

  private mutating func read(_ value: JSONValue, _ argument: ToolSpec.Argument) throws(ToolError) {
    switch (argument.kind, value.content) {
    case (.text, .string(let text)) where !text.isEmpty && !text.utf8.contains(0):
      texts[argument.name] = text
    case (.choice(let words), .string(let text)) where words.contains(text):
      texts[argument.name] = text
    case (.integer(let range), .integer(let number)) where range.contains(number):
      integers[argument.name] = number
    case (.flag, .bool(let flag)): flags[argument.name] = flag
    default:
      let expected =
        switch argument.kind {
        case .text: "a nonempty string"
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        }
      throw ToolError("'\(argument.name)' must be \(expected).")
    }
  }
}

/// The reason why a call of a tool failed, for the model that made the call.
struct ToolError: Error, Equatable {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
