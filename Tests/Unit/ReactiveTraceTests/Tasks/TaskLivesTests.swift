#if os(Linux)
  import Foundation
  import SystemLibrary
  import TestSupport
  import Testing

  @testable import ReactiveTrace

  /// The lives of the tasks of other processes, which `Tests/Corpora/TaskCorpus/Lives` has.
  @Suite(
    "The lives of all tasks", .ownThread,
    .enabled(if: !isSanitized, "the lives of tasks are not recorded under a sanitizer"))
  struct TaskLivesTests {
    /// The records of a program of the corpus.
    private struct Run: Sendable {
      let records: [Trace.Record]
      let errors: String

      /// Runs the program, repeatedly until it has looked up the names of all places. A lookup is
      /// limited to a second, which is too short on a busy machine.
      init(_ name: String, count: Int = 1, settings: [String: String] = [:]) throws {
        var run = try Run(once: name, count, settings)
        for _ in 0..<20 where run.errors.contains("than can be read in a second") {
          run = try Run(once: name, count, settings)
        }
        self = run
      }

      private static let known = BlockingMutex<[String: Run]>([:])

      /// Returns the records of the program's only run, which several tests check.
      static func of(_ name: String) throws -> Run {
        if let run = known.withLock({ $0[name] }) { return run }
        let run = try Run(name)
        known.withLock { $0[name] = run }
        return run
      }

      private init(once name: String, _ count: Int, _ settings: [String: String]) throws {
        let log = try TemporaryLog()
        var all = ["REACTIVE_TRACE_TASKS": "1", "REACTIVE_TRACE_EXPLAIN": "off"]
        all.merge(settings) { $1 }
        let result = try Helper(
          ["lives", name, String(count)], trace: log.path, all,
          program: Helper.path(of: "TaskCorpus")
        ).finish()
        #expect(result.status == 0, "\(result.errors)")
        errors = result.errors
        records = try log.text().split(separator: "\n").compactMap {
          Trace.Record(line: Array($0.utf8))
        }
        .sorted { $0.time < $1.time }
      }

      var begun: [Trace.Record] { records.filter { $0.event == .subscribe } }

      func begun(_ lane: String) -> [Trace.Record] { begun.filter { $0.lane == lane } }

      /// The events of the tasks with a name, without the thread on which they run.
      func story(_ lane: String) -> [String] {
        records.filter { $0.lane == lane && $0.event != .place }.map(\.event.rawValue)
      }

      func ends(_ lane: String) -> [String] {
        story(lane).filter { ["completed", "disposed", "failed", "released"].contains($0) }
      }

      func waits(_ lane: String) -> [String] {
        records.filter { $0.lane == lane && $0.event == .suspended }.compactMap {
          Run.value("wait", in: $0)
        }
      }

      static func value(_ key: String, in record: Trace.Record) -> String? {
        object(record)[key].map { "\($0)" }
      }

      static func object(_ record: Trace.Record) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(record.json.utf8))) as? [String: Any] ?? [:]
      }

      /// Checks that each task begins once, ends once, and is suspended and resumed by turns.
      func checkLives(of count: Int) {
        #expect(begun.count == count)
        #expect(errors.isEmpty, "\(errors)")
        let lives = Dictionary(grouping: records.filter { $0.subscription != nil }) {
          $0.subscription ?? 0
        }
        for (id, records) in lives {
          var story = records.map(\.event.rawValue)
          #expect(story.removeFirst() == "subscribe")
          #expect(
            ["completed", "disposed", "failed"].contains(story.popLast() ?? ""), "task \(id)")
          for (index, event) in story.enumerated() {
            #expect(event == (index % 2 == 0 ? "suspended" : "resumed"), "task \(id)")
          }
          #expect(story.count % 2 == 0, "task \(id)")
        }
        #expect(records.last?.event == .end)
      }
    }

    @Test(
      "Each task begins and ends once, and is suspended and resumed by turns",
      arguments: [
        "tasks": 6, "groups": 23, "children": 4, "actors": 13, "continuations": 4, "sleeps": 3,
        "streams": 3, "canceled": 3, "immediate": 3, "executors": 9, "traced": 4, "locals": 3,
      ])
    func lives(_ program: (key: String, value: Int)) throws {
      try Run.of(program.key).checkLives(of: program.value)
    }

    @Test("Tasks have their names, numbers, parents and the places where they are made")
    func tasks() throws {
      let run = try Run.of("tasks")
      #expect(run.begun("named").count == 1)
      let outer = try #require(run.begun("outer").first)
      let inner = try #require(run.begun("inner").first)
      #expect(inner.parent == outer.subscription)
      #expect(inner.operator == .task)
      #expect(inner.type == "-")
      let numbers = run.begun.compactMap { Run.object($0)["task"] as? Int }
      #expect(numbers == numbers.sorted())
      #expect(Set(numbers).count == 6)
      let place = run.records.first { $0.event == .place && $0.lane == inner.observed }
      #expect(place?.source?.hasPrefix("TaskCorpus/TaskLives.swift:") == true)
    }

    @Test("A task without a name has the name of the place where its closure begins")
    func unnamed() throws {
      let run = try Run.of("tasks")
      let places = run.begun.filter { $0.lane?.hasPrefix("observed.") == true }.compactMap { task in
        run.records.first { $0.event == .place && $0.lane == task.lane }
      }
      #expect(places.contains { $0.function?.contains("TaskLives.tasks()") == true })
    }

    @Test("A canceled task is disposed, and a task that throws has completed")
    func ends() throws {
      let run = try Run.of("canceled")
      #expect(run.ends("canceled") == ["disposed"])
      #expect(run.ends("canceled early") == ["disposed"])
      #expect(try Run.of("tasks").ends("detached") == ["completed"])
    }

    @Test("A task that awaits another one says which one")
    func awaits() throws {
      let run = try Run.of("tasks")
      let inner = try #require(run.begun("inner").first?.subscription)
      let wait = try #require(run.records.first { $0.event == .suspended && $0.lane == "outer" })
      #expect(Run.value("wait", in: wait) == "task")
      let awaited = Run.object(wait)["awaits"] as? [[String: Any]]
      #expect(awaited?.compactMap { $0["sub"] as? Int } == [inner])
      let place = run.records.first { $0.event == .place && $0.lane == wait.observed }
      #expect(place?.function?.contains("TaskLives.tasks()") == true)
    }

    @Test("Waits inside the runtime are recorded: continuations, sleeps and streams")
    func waits() throws {
      #expect(try Run.of("continuations").waits("throwing") == ["continuation"])
      #expect(try Run.of("continuations").waits("resumed immediately").isEmpty)
      #expect(try Run.of("sleeps").waits("sleeping") == ["continuation"])
      #expect(try Run.of("streams").waits("reader").allSatisfy { $0 == "continuation" })
      #expect(try Run.of("children").records.contains { Run.value("wait", in: $0) == "task" })
      #expect(try Run.of("groups").records.contains { Run.value("wait", in: $0) == "group" })
      #expect(try Run.of("executors").waits("custom actor").contains("executor"))
    }

    @Test("A task of Trace.task has one lane, which is the parent of the tasks that it makes")
    func traced() throws {
      let run = try Run.of("traced")
      let lane = try #require(run.begun("lane").first)
      #expect(run.begun("lane").count == 1)
      #expect(run.begun("below the lane").first?.parent == lane.subscription)
      #expect(run.ends("lane") == ["completed"])
      #expect(run.ends("failing lane") == ["failed"])
      #expect(run.story("lane").contains("suspended"))
    }

    @Test("Many short tasks of eight tasks at the same time are all recorded")
    func many() throws {
      let count = TestLength.isLong ? 100_000 : 10_000
      try Run("many", count: count).checkLives(of: count + 9)
    }

    @Test("Tasks that are canceled, awaited and resumed at the same time have right lives")
    func racing() throws {
      try Run("racing", count: 100).checkLives(of: 701)
    }

    @Test("A program that forks while its tasks run continues, and its children end")
    func fork() throws {
      let run = try Run("fork")
      run.checkLives(of: run.begun.count)
    }

    @Test("A program that exits while its tasks run exits, and its log ends")
    func exit() throws {
      let run = try Run("exit")
      #expect(run.records.last?.event == .end)
      #expect(run.begun.count > 4)
    }

    @Test("Names of tasks are selected like names of lanes")
    func lanes() throws {
      let run = try Run("tasks", settings: ["REACTIVE_TRACE_LANES": "*,-outer"])
      #expect(run.begun("outer").isEmpty)
      #expect(run.begun("inner").count == 1)
      #expect(run.begun("inner").first?.parent == nil)
    }

    @Test("A further file of a log repeats the tasks that are alive, with their numbers")
    func rotation() throws {
      let log = try TemporaryLog()
      let result = try Helper(
        ["lives", "many", "4000"], trace: log.path,
        [
          "REACTIVE_TRACE_TASKS": "1", "REACTIVE_TRACE_MAX_SIZE": "64K",
          "REACTIVE_TRACE_WHEN_FULL": "rotate",
        ], program: Helper.path(of: "TaskCorpus")
      ).finish()
      #expect(result.status == 0)
      let next = log.path.replacingOccurrences(of: ".jsonl", with: ".part-2.jsonl")
      let lines = try String(contentsOfFile: next, encoding: .utf8).split(separator: "\n")
      let alive = lines.compactMap { Trace.Record(line: Array($0.utf8)) }
        .filter { $0.event == .alive }
      #expect(alive.contains { $0.lane == "lane 0" && Run.object($0)["task"] is Int })
    }

    @Test("Sinks get the lives of tasks, except for those of the tasks that they make")
    func sinks() throws {
      let result = try Helper(
        ["lives", "sink"], trace: nil, ["REACTIVE_TRACE_TASKS": "1"],
        program: Helper.path(of: "TaskCorpus")
      ).finish()
      #expect(
        result.output == """
          completed 100
          resumed 100
          subscribe 100
          suspended 100
          of the sink 0

          """, "\(result.errors)")
    }

    @Test("Without the variable, no table of functions is changed")
    func off() throws {
      func output(_ settings: [String: String]) throws -> String {
        let log = try TemporaryLog()
        return try Helper(
          ["lives", "hooks"], trace: log.path, settings, program: Helper.path(of: "TaskCorpus")
        ).finish().output
      }
      #expect(try output([:]) == "unchanged\n")
      #expect(try output(["REACTIVE_TRACE_TASKS": "0"]) == "unchanged\n")
      #expect(try output(["REACTIVE_TRACE_TASKS": "1"]) == "changed\n")
    }
  }
#endif
