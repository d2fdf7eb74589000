import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Programs that interfere with their log", .ownThread)
struct HostileProgramTests {
  /// Disables leak detection. The address sanitizer can't stop the threads of a process that has
  /// closed its descriptors, so it would report the memory they retain as leaked.
  private static let leaksUnseen = ["ASAN_OPTIONS": "detect_leaks=0"]

  @Test("A program that reuses the log's descriptor keeps its file and its complete log")
  func takenNumber() throws {
    let log = try TemporaryLog()
    let mine = log.folder + "/mine"
    let result = try Helper(["number", mine], trace: log.path, Self.leaksUnseen).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(try log.text(mine) == "precious of the child")
    let records = try log.records()
    #expect(records.count { $0["event"] as? String == "next" } == 20_001)
    #expect(records.last?["event"] as? String == "end")
    #expect(records.last?["records"] as? Int == records.count - 1)
    #expect(try log.text().hasSuffix("}\n"))
  }

  @Test("A log that was closed and renamed loses records, and the program continues")
  func takenNumberOfLostFile() throws {
    let log = try TemporaryLog()
    let (mine, other) = (log.folder + "/mine", log.folder + "/renamed.jsonl")
    let result = try Helper(["number", mine, other], trace: log.path, Self.leaksUnseen).finish()
    #expect(result.status == 0)
    #expect(result.errors.contains("the program has closed the file"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try log.text(mine) == "precious of the child")
    #expect(!FileManager.default.fileExists(atPath: log.path))
    let records = try log.records(other)
    let values = records.count { $0["event"] as? String == "next" }
    let lost = try #require(records.last?["lost"] as? Int)
    #expect(values > 0)
    // The elements and the end of the subscription.
    #expect(values + lost == 20_002)
  }

  @Test(
    "Output to closed standard streams doesn't end up in the log")
  func closedStreams() throws {
    let log = try TemporaryLog()
    #expect(try Helper(["streams"], trace: log.path).finish().status == 0)
    let records = try log.records()
    #expect(records.compactMap { $0["value"] as? String }.dropFirst() == ["0", "1", "2"])
    #expect(records.last?["event"] as? String == "end")
    #expect(!(try log.text().contains("printed")))
  }

  @Test("Warnings aren't written to a program's file that reuses descriptor 2")
  func noMessage() throws {
    let log = try TemporaryLog()
    let mine = log.folder + "/mine"
    #expect(try Helper(["no-errors", mine], trace: log.path).finish().status == 0)
    #expect(try log.text(mine) == "precious")
    #expect(try log.records().last?["lost"] as? Int ?? 0 > 0)
  }

  @Test("The next file of a log is created as soon as possible and is never empty")
  func rotationRetried() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "64K", "REACTIVE_TRACE_WHEN_FULL": "rotate"]
    let result = try Helper(["rotation"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.errors.contains("File too large"))
    let said = result.output.split(separator: "\n")
    #expect(said.first == "none")
    let sent = try #require(said.last.flatMap { Int($0) })
    let first = try log.records()
    let last = try #require(first.last)
    #expect(last["event"] as? String == "continued")
    let lost = try #require(last["lost"] as? Int)
    #expect(first.dropLast().last?["reason"] as? String == "File too large")
    #expect(lost > 0)
    #expect(try log.text().utf8.count <= 64 * 1024)
    var values = 0
    var path = log.path
    var number = 1
    while FileManager.default.fileExists(atPath: path) {
      values += try log.records(path).count { $0["event"] as? String == "next" }
      number += 1
      path = SegmentPath.of(log.path, number)
    }
    #expect(values + lost == sent)
  }

  @Test("Live subscriptions that don't fit into the next file are counted as lost")
  func handedOnWithoutRoom() throws {
    let log = try TemporaryLog()
    let settings = [
      "REACTIVE_TRACE_MAX_SIZE": "256K", "REACTIVE_TRACE_WHEN_FULL": "rotate",
      "REACTIVE_TRACE_EXPLAIN": "off",
    ]
    let result = try Helper(["hand-on", "100000"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.output == "went on\n")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.errors.contains("File too large"))
    let records = try log.records(SegmentPath.of(log.path, 2))
    let alive = records.count { $0["event"] as? String == "alive" }
    #expect((1..<1000).contains(alive))
    // The element that needed the file is lost, too.
    #expect(records.last?["event"] as? String == "end")
    #expect(records.last?["lost"] as? Int == 1000 - alive + 1)
    #expect(records.last?["records"] as? Int == records.count - 1)
  }

  @Test("A deleted log is written to its original folder after a change of directory")
  func otherFolder() throws {
    let log = try TemporaryLog()
    let folders = ["here", "there"].map { log.folder + "/" + $0 }
    for folder in folders {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    let result = try Helper(["folder"] + folders, trace: nil).finish()
    #expect(result.status == 0)
    #expect(try log.records(folders[0] + "/log.jsonl").last?["event"] as? String == "end")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folders[1]).isEmpty)
  }

  @Test("A log on standard output doesn't overwrite the program's output")
  func standardOutput() throws {
    let log = try TemporaryLog()
    let result = try Helper(["output", log.path], trace: "/dev/stdout").finish()
    #expect(result.errors == "")
    let lines = try log.lines()
    #expect(lines.first == "first")
    #expect(lines.contains("second"))
    let events = try lines.filter { $0.hasPrefix("{") }.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["event"] as? String
    }
    #expect(events == ["trace", "thread", "subscribe", "next", "completed", "end"])
  }

  @Test("A log on standard output is locked against other logs until it ends")
  func sharedOutput() throws {
    let log = try TemporaryLog()
    let result = try Helper(["output-shared", log.path], trace: log.path).finish()
    #expect(result.errors == log.path + ".2")
    let lines = try log.lines()
    #expect(lines.first == "first")
    #expect(lines.count { $0.hasPrefix("{") } == 6)
    // The lock was released with the log.
    let recorder = try Recorder(path: log.path)
    #expect(recorder.path == log.path)
    recorder.finish()
  }

  @Test("A log on standard output survives closing all other descriptors")
  func closedCopy() throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["output-closed", log.path], trace: log.path, Self.leaksUnseen
    ).finish()
    #expect(result.errors == "")
    let lines = try log.lines()
    #expect(lines.count { $0.contains("\"next\"") } == 101)
    #expect(lines.last?.contains("\"end\"") == true)
  }

  @Test("Closing a log's standard output prints one warning")
  func closedOutput() throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["output-closed", log.path, "and output"], trace: log.path, Self.leaksUnseen
    ).finish()
    #expect(
      result.errors == """
        ReactiveTrace: cannot write more of the log to '\(log.path)': the program has closed it. \
        The program continues.

        """)
    #expect(try log.lines().count { $0.contains("\"next\"") } == 1)
  }

  @Test("Records aren't written to a program's file that reuses descriptor 2")
  func noRecord() throws {
    let log = try TemporaryLog()
    let mine = log.folder + "/mine"
    let result = try Helper(["errors-replaced", mine], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.errors.contains("before"))
    #expect(try log.text(mine) == "precious")
  }

  @Test("Warnings aren't written to a program's pipe that reuses descriptor 2")
  func noMessageInPipe() throws {
    let result = try Helper(["errors-piped"], trace: "/no/such/x.jsonl").finish()
    #expect(result.output == "1\n")
  }

  @Test("Starting a log on a terminal doesn't give the process a controlling terminal")
  func noTerminal() throws {
    #expect(try Helper(["terminal"], trace: nil).finish().output == "none\n")
  }

  @Test("Trace.stop returns on every thread only after the log has stopped")
  func stopsTwice() throws {
    #expect(try Helper(["stop-twice"], trace: nil).finish().output == "in time\n")
  }

  @Test(
    "A set-user-ID program ignores the trace settings of its environment",
    .enabled(if: getuid() == 0, "only root can change the owner of a program"),
    .enabled(if: !isSanitized, "a sanitizer can't inspect a set-user-ID program"))
  func foreignRights() throws {
    let log = try TemporaryLog()
    let folder = log.folder + "/open"
    let program = log.folder + "/program"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // Another process copies the program, because a program can't be started while a child of
    // another test has it open for writing.
    let copying = try ChildProcess("/bin/cp", [Helper.path, program])
    #expect(copying.finish().ending == .exited(0))
    for path in [log.folder, folder] { #expect(chmod(path, 0o777) == 0) }
    #expect(chown(program, 65534, 65534) == 0)
    #expect(chmod(program, 0o4755) == 0)
    let path = folder + "/log.jsonl"
    let settings = ["REACTIVE_TRACE_ALL": "1", "REACTIVE_TRACE_UNKNOWN": "1"]
    let result = try Helper(["rights"], trace: path, settings, program: program).finish()
    // The file system can be mounted with `nosuid`.
    guard result.output.hasPrefix("foreign: true\n") else { return }
    #expect(result.output == "foreign: true\non: false\n")
    #expect(result.errors == "")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "Signal handlers can send on a lane regardless of what they interrupt",
    .enabled(if: !isSanitized, "a signal can interrupt a sanitizer that holds its own locks")
  )
  func interrupts() throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "256K"]
    let result = try Helper(["interrupt", "2000"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    let records = try log.records()
    #expect(records.last?["event"] as? String == "end")
    #expect(records.last?["records"] as? Int == records.count - 1)
    #expect(records.contains { $0["lane"] as? String == "handler" })
  }

  @Test(
    "A signal handler can exit regardless of what it interrupts",
    .enabled(if: !isSanitized, "the handler can interrupt a sanitizer that holds its own locks"),
    arguments: 1...(TestLength.isLong ? 24 : 8))
  func exitsFromHandler(times: Int) throws {
    let log = try TemporaryLog()
    // The search for causes at the exit takes nine tenths of the time of such a process.
    let explain = times % 8 == 0 ? "on" : "off"
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "256K", "REACTIVE_TRACE_EXPLAIN": explain]
    let result = try Helper(
      ["interrupt", "1000000", "\(times * 20)"], trace: log.path, settings
    ).finish()
    #expect(result.status == 5)
    #expect(try log.records().first?["event"] as? String == "trace")
  }

  @Test(
    "Forked children can start logs while the parent's threads trace",
    .enabled(if: !isSanitized, "a sanitizer doesn't start threads after a fork"))
  func forks() throws {
    let log = try TemporaryLog()
    let child = log.folder + "/child.jsonl"
    let settings = [
      "REACTIVE_TRACE_MAX_SIZE": "1M", "REACTIVE_TRACE_WHEN_FULL": "rotate:2", "CHILD_TRACE": child,
    ]
    let times = isSanitized ? 20 : TestLength.isLong ? 2000 : 60
    let result = try Helper(["forks", "\(times)"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.output == "\(times)\n")
    #expect(try log.records(child).last?["event"] as? String == "end")
  }
}
