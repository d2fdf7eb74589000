package import ProcessInspection
import ProcessMemory
import SwiftRuntime
import TraceFormat

/// Inspections of processes as JSON, for programs. Later revisions may add keys to version 1, but
/// do not change the meaning of a key.
///
///     {
///       "format": "trace-viewer-tasks",
///       "version": 1,
///       "processes": [{
///         "process": 4711, "parent": 4700,
///         "command": ["./app", "--port=80"],
///         "tasks": [{
///           "number": 25,
///           "name": "checkout",              null without a name
///           "state": "waiting",              or "running", "enqueued", "suspended"
///           "canceled": false, "priority": 25,
///           "waitsFor": "task",              or "continuation", "group", "executor"; null
///           "waitsForTasks": [17],           numbers
///           "executor": "Cache",             the type of the actor; null if it isn't known
///           "parent": 12,                    the number of a task; null without a parent
///           "thread": 4711,                  null if it doesn't run
///           "moved": false,                  whether it ran during the inspection
///           "gap": {"index": 192, "count": 90}, the frames that are missing; null without any
///           "frames": [{
///             "function": "load(_:)",        null if it isn't known
///             "source": "Shop/Store.swift:8",
///             "path": "/home/me/Shop/Sources/Shop/Store.swift",
///             "offset": "app+0x1a2b",
///             "origin": "user"               or "dependency", "system"
///           }]
///         }],
///         "tasksAreComplete": true,
///         "doubt": "There wasn't enough time to find all tasks.", null if all are known
///         "threads": [{
///           "thread": 4711, "name": "app", "activity": "waits for a semaphore",
///           "task": 25, "moved": false, "gap": null, "frames": [as above]
///         }],
///         "missingThreads": 0,               the number of threads that were left out
///         "tracer": null,                    the process that debugs this one
///         "findings": [{
///           "proven": false,
///           "sentence": "...",
///           "test": "checkoutAddsUp()",      null outside tests
///           "tasks": [25, 17], "threads": [],
///           "places": [as the frames above]
///         }]
///       }]
///     }
package struct InspectionJSON {
  package static let version = 1

  private let inspections: [Inspection]

  package init(_ inspections: [Inspection]) { self.inspections = inspections }

  package var text: String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.string("format", "trace-viewer-tasks")
      json.integer("version", Self.version)
      json.array("processes") { json in
        for inspection in inspections { json.object { write(inspection, to: &$0) } }
      }
    }
    json.newline()
    return json.text
  }

  /// Writes the members of one process.
  private func write(_ inspection: Inspection, to json: inout JSONWriter) {
    json.integer("process", inspection.process.process)
    json.integer("parent", inspection.process.parent)
    json.array("command") { json in
      for word in inspection.process.command { json.string(nil, word) }
    }
    json.array("tasks") { json in
      for index in inspection.tasks.indices { json.object { write(index, inspection, to: &$0) } }
    }
    json.bool("tasksAreComplete", inspection.taskList == .found(isComplete: true))
    string("doubt", InspectionWords.doubt(inspection.taskList), &json)
    json.array("threads") { json in
      for thread in inspection.threads {
        json.object { json in
          json.integer("thread", thread.thread)
          json.string("name", thread.name)
          json.string("activity", InspectionWords.activity(thread.activity))
          integer("task", thread.task.map { inspection.tasks[$0].record.number }, &json)
          json.bool("moved", thread.hasMoved)
          gap(thread.gap, &json)
          frames("frames", thread.frames, &json)
        }
      }
    }
    json.integer("missingThreads", inspection.missingThreads)
    integer("tracer", inspection.tracer, &json)
    json.array("findings") { json in
      for finding in inspection.findings { json.object { write(finding, inspection, to: &$0) } }
    }
  }

  private func write(_ index: Int, _ inspection: Inspection, to json: inout JSONWriter) {
    let task = inspection.tasks[index]
    json.integer("number", task.record.number)
    string("name", task.record.name, &json)
    json.string("state", Self.word(task.state))
    json.bool("canceled", task.record.status.isCancelled)
    json.integer("priority", task.record.status.priority)
    string("waitsFor", Self.word(task.record.wait), &json)
    json.array("waitsForTasks") { json in
      for other in inspection.waits.waits(of: index) {
        json.integer(nil, inspection.tasks[other].record.number)
      }
    }
    string("executor", task.executor, &json)
    let parent = task.record.parent.flatMap { inspection.waits.index(ofTaskAt: $0) }
    integer("parent", parent.map { inspection.tasks[$0].record.number }, &json)
    integer("thread", task.thread, &json)
    json.bool("moved", task.hasMoved)
    gap(task.record.gap, &json)
    frames("frames", task.frames, &json)
  }

  private func write(
    _ finding: HangFinding, _ inspection: Inspection, to json: inout JSONWriter
  ) {
    json.bool("proven", finding.isProven)
    json.string("sentence", InspectionWords.sentence(finding, in: inspection, isHang: false))
    string("test", finding.test?.name, &json)
    json.array("tasks") { json in
      for task in finding.tasks { json.integer(nil, inspection.tasks[task].record.number) }
    }
    json.array("threads") { json in
      for thread in finding.threads { json.integer(nil, thread) }
    }
    frames("places", finding.places, &json)
  }

  private func gap(_ gap: CallGap?, _ json: inout JSONWriter) {
    guard let gap else { return json.null("gap") }
    json.object("gap", onOneLine: true) { json in
      json.integer("index", gap.index)
      json.integer("count", gap.count)
    }
  }

  private func frames(_ key: String, _ frames: [InspectedFrame], _ json: inout JSONWriter) {
    json.array(key) { json in
      for frame in frames {
        json.object(onOneLine: true) { json in
          string("function", frame.function, &json)
          string("source", frame.source, &json)
          string("path", frame.path, &json)
          json.string("offset", frame.offset)
          json.string("origin", Self.word(frame.origin))
        }
      }
    }
  }

  private func string(_ key: String, _ value: String?, _ json: inout JSONWriter) {
    if let value { json.string(key, value) } else { json.null(key) }
  }

  private func integer(
    _ key: String, _ value: (some FixedWidthInteger)?, _ json: inout JSONWriter
  ) {
    if let value { json.integer(key, value) } else { json.null(key) }
  }

  private static func word(_ state: InspectedTask.State) -> String {
    switch state {
    case .running: "running"
    case .enqueued: "enqueued"
    case .waiting: "waiting"
    case .suspended: "suspended"
    }
  }

  private static func word(_ wait: TaskRecord.Wait?) -> String? {
    switch wait {
    case .task: "task"
    case .continuation: "continuation"
    case .group: "group"
    case .executor: "executor"
    case nil: nil
    }
  }

  private static func word(_ origin: InspectedFrame.Origin) -> String {
    switch origin {
    case .user: "user"
    case .dependency: "dependency"
    case .system: "system"
    }
  }
}
