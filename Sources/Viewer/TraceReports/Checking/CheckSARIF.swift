import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// SARIF 2.1.0 as GitHub accepts it: a result for each finding, with all four numbers of its
/// region and a fingerprint that stays the same when code moves. Related locations are that of the
/// step to break and those of the lanes. A code flow is the path that keeps the subscription alive.
/// Findings that the baseline covers are omitted. Unproven findings are notes.
enum CheckSARIF {
  /// The maximum number of results that GitHub accepts.
  static let maxResults = 25_000
  private static let maxCharacters = 1000

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
            for hang in result.hangs {
              guard let location = hang.location else { continue }
              json.object { add(hang, location, &$0) }
            }
            for group in result.groups.prefix(maxResults) {
              json.object { add(group, &$0) }
            }
          }
          json.object("properties") { $0.integer("findings", result.groups.count) }
        }
      }
    }
    json.newline()
    return json.text
  }

  private static func add(
    _ hang: CheckedHang, _ location: CheckedGroup.Location, _ json: inout JSONWriter
  ) {
    json.string("ruleId", CheckedHang.rule)
    json.integer("ruleIndex", RuleBook.rules.count)
    json.string("level", "error")
    message("message", hang.sentence, &json)
    json.array("locations") { json in
      json.object { physicalLocation(location, &$0) }
    }
    let fingerprint = Fingerprint(
      rule: CheckedHang.rule, lane: hang.name, file: location.path, function: hang.function ?? "")
    json.object("partialFingerprints") {
      $0.string("primaryLocationLineHash", "\(fingerprint.digest):1")
    }
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
      json.object { json in
        json.string("id", CheckedHang.rule)
        message("shortDescription", CheckedHang.summary, &json)
        message("fullDescription", CheckedHang.summary, &json)
        json.object("help") {
          $0.string("text", CheckedHang.explanation)
          $0.string("markdown", CheckedHang.explanation)
        }
        json.object("defaultConfiguration") { $0.string("level", "error") }
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
      for hang in result.hangs where hang.location == nil {
        json.object {
          $0.string("level", "error")
          message("message", hang.sentence, &$0)
        }
      }
      let omitted = result.groups.count - maxResults
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
    let remarks = group.remarks.joined(separator: " ")
    message("message", "\(group.id) \(group.lane): \(group.message). \(remarks)", &json)
    json.array("locations") { json in
      json.object { physicalLocation(group.location, &$0) }
    }
    let related = (group.fix.map { [$0] } ?? []) + group.related
    if !related.isEmpty {
      json.array("relatedLocations") { json in
        for (index, place) in related.enumerated() {
          json.object {
            $0.integer("id", index)
            physicalLocation(place.location, &$0)
            message("message", place.words, &$0)
          }
        }
      }
    }
    addFlow(group.steps, &json)
    json.object("partialFingerprints") {
      // GitHub recognizes a result by this key, and the number distinguishes equal hashes.
      $0.string("primaryLocationLineHash", "\(group.id):1")
      $0.string("findingId/v1", group.id.description)
    }
    json.integer("occurrenceCount", group.findings.count)
    json.object("properties") { $0.string("id", group.id.description) }
  }

  /// Writes the path that keeps a subscription alive. Each step retains the next one.
  private static func addFlow(_ steps: [CheckedGroup.Step], _ json: inout JSONWriter) {
    guard !steps.isEmpty else { return }
    json.array("codeFlows") { json in
      json.object { json in
        json.array("threadFlows") { json in
          json.object { json in
            json.array("locations") { json in
              for step in steps {
                json.object { json in
                  json.object("location") {
                    physicalLocation(step.location, &$0)
                    message("message", step.words, &$0)
                  }
                  if step.isBreak { json.string("importance", "essential") }
                }
              }
            }
          }
        }
      }
    }
  }

  private static func physicalLocation(
    _ location: CheckedGroup.Location, _ json: inout JSONWriter
  ) {
    json.object("physicalLocation") { json in
      json.object("artifactLocation") {
        $0.string("uri", Escaping.uriPath(location.path))
        $0.string("uriBaseId", "%SRCROOT%")
      }
      json.object("region") {
        $0.integer("startLine", location.line)
        $0.integer("startColumn", location.column)
        $0.integer("endLine", location.line)
        $0.integer("endColumn", location.column + 1)
      }
    }
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
      $0.string("text", String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxCharacters))))
    }
  }
}
