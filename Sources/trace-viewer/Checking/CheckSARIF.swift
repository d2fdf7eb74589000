import TraceAnalysis
import TraceFormat

/// SARIF 2.1.0 as GitHub accepts it: a result for each location, with all four numbers of its
/// region and a fingerprint that stays the same when code moves. Findings that the baseline knows
/// are omitted. Unproven findings are notes.
enum CheckSARIF {
  /// The maximum number of results that GitHub accepts.
  static let mostResults = 25_000
  private static let mostCharacters = 1000

  static func text(_ result: CheckResult) -> String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.string("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.string("version", "2.1.0")
      json.array("runs") { json in
        json.object { json in
          json.object("tool") { json in
            json.object("driver") { driver(&$0) }
          }
          json.array("invocations") { json in
            json.object { invocation(result, &$0) }
          }
          json.string("columnKind", "unicodeCodePoints")
          json.array("results") { json in
            for group in result.groups.prefix(mostResults) {
              json.object { add(group, &$0) }
            }
          }
          json.object("properties") { $0.integer("findings", result.comparison.findings.count) }
        }
      }
    }
    json.newline()
    return json.text
  }

  private static func driver(_ json: inout JSONWriter) {
    json.string("name", ProgramInfo.name)
    json.string("version", ProgramInfo.version)
    json.array("rules") { json in
      for rule in RuleBook.rules {
        json.object { json in
          json.string("id", rule.id)
          message("shortDescription", rule.summary, &json)
          message("fullDescription", rule.summary, &json)
          json.object("help") {
            $0.string("text", rule.explanation)
            $0.string("markdown", rule.explanation)
          }
          json.object("defaultConfiguration") {
            $0.string("level", rule.level == .error ? "error" : "warning")
          }
        }
      }
    }
  }

  /// Writes how the run went. The run is unsuccessful if a file could not be read.
  private static func invocation(_ result: CheckResult, _ json: inout JSONWriter) {
    json.bool("executionSuccessful", result.errors.isEmpty)
    json.integer("exitCode", result.code.rawValue)
    json.array("toolExecutionNotifications") { json in
      for error in result.errors {
        json.object {
          $0.string("level", "error")
          message("message", CheckedGroup.page.safe("\(error.location): \(error.sentence)"), &$0)
        }
      }
      let omitted = result.groups.count - mostResults
      if omitted > 0 {
        json.object {
          $0.string("level", "warning")
          message(
            "message",
            "\(CountText.make(omitted, "result")) dropped (limit of the format)",
            &$0)
        }
      }
    }
  }

  private static func add(_ group: CheckedGroup, _ json: inout JSONWriter) {
    json.string("ruleId", group.fingerprint.rule)
    if let index = RuleBook.rules.firstIndex(where: { $0.id == group.fingerprint.rule }) {
      json.integer("ruleIndex", index)
    }
    json.string("level", level(group))
    message("message", "\(group.lane): \(group.message)", &json)
    json.array("locations") { json in
      json.object { json in
        json.object("physicalLocation") { json in
          json.object("artifactLocation") {
            $0.string("uri", Escaping.uriPath(group.path))
            $0.string("uriBaseId", "%SRCROOT%")
          }
          json.object("region") {
            $0.integer("startLine", group.line)
            $0.integer("startColumn", 1)
            $0.integer("endLine", group.line)
            $0.integer("endColumn", 2)
          }
        }
      }
    }
    json.object("partialFingerprints") {
      $0.string("primaryLocationLineHash", group.fingerprint.digest + ":1")
    }
    json.integer("occurrenceCount", group.findings.count)
  }

  private static func level(_ group: CheckedGroup) -> String {
    switch group.severity {
    case .error: "error"
    case .warning: "warning"
    case .unproven: "note"
    }
  }

  private static func message(_ key: String, _ text: String, _ json: inout JSONWriter) {
    json.object(key) {
      $0.string(
        "text", String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostCharacters))))
    }
  }
}
