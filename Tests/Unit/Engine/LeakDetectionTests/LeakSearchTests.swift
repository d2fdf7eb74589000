#if os(Linux)
  import SystemLibrary
  import ProcessInspection
  import TestSupport
  import Testing
  import TraceFormat

  @testable import LeakDetection

  @Suite(
    "The search for leaked objects", .ownThread,
    .enabled(if: !isSanitized, "the allocator of a sanitizer isn't glibc's"))
  struct LeakSearchTests {
    private static let program = BuiltProgram.path(of: "TraceWriterHelper")
    private static let limit = 20_000_000_000

    /// Searches a process that has made its objects.
    private func withProcess<Result>(_ body: (Int32) throws -> Result) throws -> Result {
      try ChildProcess(Self.program, ["lost-objects"]).inspect(afterBytes: 8, body)
    }

    private func search(
      _ process: Int32, _ threads: LeakSearch.Threads, _ pass: SearchPass = .single
    ) throws -> LeakSearchResult {
      try LeakSearch.search(
        process, threads, pass, deadline: LogClock.monotonic() + Self.limit)
    }

    private func searchStopped(_ process: Int32) throws -> LeakSearchResult {
      var result: Result<LeakSearchResult, any Error>?
      let error = StoppedProcess.with(process) { threads in
        result = Result { try search(process, threads) }
      }
      #expect(error == 0)
      return try #require(result).get()
    }

    @Test("A stopped process has exactly the planted leaks, and runs again afterward")
    func stopped() throws {
      try withProcess { process in
        let report = try searchStopped(process)
        let findings = report.findings.filter(\.isOfUser)
        #expect(findings.map(\.name).sorted() == ["LostItem", "LostScreen"])
        let cycle = try #require(findings.first { $0.kind == .cycle })
        #expect(cycle.count == 3)
        #expect(cycle.members.map(\.name) == ["LostScreen"])
        #expect(cycle.members.map(\.count) == [3])
        #expect(cycle.held.first { $0.name == "LostItem" }?.count == 3)
        #expect(!cycle.retention.isProbable)
        #expect(
          cycle.retention.steps.map { RetentionWords.name(of: $0) } == [
            "LostScreen.onClose", "closure at LostObjects.swift:50",
          ])
        #expect(cycle.retention.breakIndex == 1)
        #expect(cycle.site == "TraceWriterHelper/LostObjects.swift:50")
        let lost = try #require(findings.first { $0.kind == .unreachable })
        #expect(lost.count == 1)
        #expect(lost.site == "TraceWriterHelper/LostObjects.swift:60")
        #expect(report.classes.first { $0.name == "TraceWriterHelper.LostScreen" }?.count == 5)
        let state = try #require(ProcessEntry(process))
        #expect(!state.isZombie)
        #expect(ProcessStates.tracer(of: process) == 0)
      }
    }

    @Test("The places of a deque that aren't in use don't keep objects alive")
    func deques() throws {
      try ChildProcess(Self.program, ["streamed-objects"]).inspect(afterBytes: 8) { process in
        let findings = try searchStopped(process).findings
        #expect(findings.first { $0.name == "LostScreen" }?.count == 3)
      }
    }

    @Test("Two searches of a running process find the cycles, and nothing without a cycle")
    func running() throws {
      try withProcess { process in
        let first = try search(process, StoppedProcess.running(process), .first)
        let second = try search(
          process, StoppedProcess.running(process),
          .second(known: first.unreachable, ignored: []))
        #expect(second.findings.filter(\.isOfUser).map(\.name) == ["LostScreen"])
        // A cycle that the first search didn't see could be a new one.
        let third = try search(
          process, StoppedProcess.running(process), .second(known: [], ignored: []))
        #expect(third.findings.isEmpty)
      }
    }

    @Test("A search without time reports that, and so does one of a process that has ended")
    func failures() throws {
      try withProcess { process in
        _ = #expect(throws: LeakSearchFailure.limit) {
          try LeakSearch.search(
            process, StoppedProcess.running(process), deadline: LogClock.monotonic())
        }
      }
      #expect(throws: LeakSearchFailure.unreadable) {
        try search(.max, LeakSearch.Threads([], areSomeUnknown: true))
      }
    }

    @Test("Only processes with a Swift program are searched, and not those of the toolchain")
    func programs() throws {
      try withProcess { process in
        #expect(SwiftPrograms.runs(process))
        #expect(!SwiftPrograms.isOfToolchain(process))
        #expect(!SwiftPrograms.hasAddressSanitizer(process))
      }
      try ChildProcess("/bin/sh", ["-c", "echo started; exec sleep 1000"])
        .inspect(afterBytes: 8) { process in #expect(!SwiftPrograms.runs(process)) }
    }
  }

  /// What the kernel says about processes.
  private enum ProcessStates {
    /// Returns the process that traces another one, or 0.
    static func tracer(of process: Int32) -> Int32? {
      ProcFile.text("/proc/\(process)/status")?.split(separator: "\n")
        .first { $0.hasPrefix("TracerPid:") }?.split(separator: "\t").last
        .flatMap { Int32($0) }
    }
  }
#endif
