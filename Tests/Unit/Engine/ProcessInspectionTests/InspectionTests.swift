#if os(Linux)
  import ProcessMemory
  import SystemLibrary
  import TestSupport
  import Testing
  import TraceFormat

  @testable import ProcessInspection

  @testable import TaskInspection

  @Suite(
    "Inspections of processes", .ownThread,
    .enabled(if: !isSanitized, "reading the names of a sanitized program takes seconds"))
  struct InspectionTests {
    private static let program = BuiltProgram.path(of: "TraceWriterHelper")
    private static let limit = 20_000_000_000

    private func inspect(
      _ arguments: [String], until isDone: (Inspection) -> Bool
    ) throws -> Inspection {
      try ChildProcess(Self.program, arguments).inspect(afterBytes: 8) { process in
        var inspection = try Inspection(ofProcess: process, limit: Self.limit)
        for _ in 0..<100 where !isDone(inspection) {
          inspection = try Inspection(ofProcess: process, limit: Self.limit)
        }
        // The process still runs, and nothing has stopped it.
        let state = ProcessEntry.Stat("/proc/\(process)/stat")?.state
        #expect(state == "S" || state == "R")
        return inspection
      }
    }

    @Test("An inspection finds the tasks, the threads, their calls and lines")
    func parked() throws {
      let inspection = try inspect(["parked"]) { inspection in
        inspection.tasks.count == 3 && inspection.tasks.allSatisfy { $0.state == .waiting }
          && inspection.threads.contains { $0.frames.contains { $0.function == "pause" } }
      }
      #expect(inspection.taskList == .found(isComplete: true))
      let checkout = try #require(
        inspection.tasks.firstIndex { $0.record.name == "parked.checkout" })
      let child = try #require(inspection.waits.waits(of: checkout).first)
      #expect(
        inspection.tasks[child].frames.place?.source == "TraceWriterHelper/ParkedTasks.swift:21")
      let main = try #require(
        inspection.threads.first { $0.thread == inspection.process.process })
      let names = main.frames.compactMap(\.function)
      #expect(names.contains("static ParkedTasks.waitForEnd()"))
      #expect(main.frames.contains { $0.isEntry })
      let place = try #require(main.frames.place)
      #expect(place.source == "TraceWriterHelper/ParkedTasks.swift:10")
      #expect(main.frames.first { $0.function == "pause" }?.origin == .system)
    }

    @Test("Threads that wait for each other are a probable cause, with their lines")
    func locks() throws {
      let inspection = try inspect(["lock-order"]) { inspection in
        inspection.findings.first?.cause == .lockCycle
      }
      let finding = try #require(inspection.findings.first)
      #expect(finding.cause == .lockCycle)
      #expect(
        finding.places.compactMap(\.function).sorted() == [
          "static LockedThreads.takeFirst()", "static LockedThreads.takeSecond()",
        ])
    }

    @Test("A thread that runs all the time is found in the function that it runs")
    func busy() throws {
      let inspection = try inspect(["endless-loop"]) { inspection in
        inspection.findings.first?.cause == .busy
          && inspection.findings.first?.places.first?.source?.contains("LockedThreads") == true
      }
      #expect(inspection.findings.first?.cause == .busy)
      #expect(
        inspection.findings.first?.places.first?.function == "static LockedThreads.runForever()")
    }

    #if arch(x86_64)
      @Test("A thread that begins to wait for a signal while it is stopped waits again")
      func interruptedWaits() throws {
        var stops = 0
        let inspection = try inspect(["signal-waits"]) { inspection in
          stops += 1
          return stops == 40
        }
        // The program ends if a wait fails, and then the inspection does, too.
        #expect(inspection.threads.count == 4)
      }
    #endif

    @Test("A process that can't be inspected says why")
    func failures() throws {
      #expect(throws: InspectionFailure.noProcess) {
        try Inspection(ofProcess: .max, limit: Self.limit)
      }
      try ChildProcess("/bin/sh", ["-c", "echo ready; read line < /dev/zero"]).inspect(
        afterBytes: 6
      ) { process in
        let inspection = try Inspection(ofProcess: process, limit: Self.limit)
        #expect(inspection.taskList == .noRuntime)
        #expect(!inspection.hasUserCode && inspection.findings.isEmpty)
      }
    }

    @Test("An inspection without time finds nothing and doesn't fail")
    func noTime() throws {
      try ChildProcess(Self.program, ["parked"]).inspect(afterBytes: 8) { process in
        let inspection = try Inspection(ofProcess: process, limit: 0)
        #expect(inspection.taskList != .found(isComplete: true))
        #expect(inspection.tasks.isEmpty)
      }
    }
  }
#endif
