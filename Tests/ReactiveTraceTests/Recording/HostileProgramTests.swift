import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("a program that does not spare its log", .ownThread)
struct HostileProgramTests {
  /// The address sanitizer cannot stop the threads of a process that has closed its descriptors, and so takes what they hold for
  /// leaked.
  private static let leaksUnseen = ["ASAN_OPTIONS": "detect_leaks=0"]

  @Test("keeps its own file, to which the number of the log was given, and gets its whole log")
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

  @Test("loses records without room if the log is no longer at its path, and continues")
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
    "may have closed standard output and error, and writes to them nothing that gets into the log")
  func closedStreams() throws {
    let log = try TemporaryLog()
    #expect(try Helper(["streams"], trace: log.path).finish().status == 0)
    let records = try log.records()
    #expect(records.compactMap { $0["value"] as? String }.dropFirst() == ["0", "1", "2"])
    #expect(records.last?["event"] as? String == "end")
    #expect(!(try log.text().contains("printed")))
  }

  @Test("gets no message into its file that has the number of standard error")
  func noMessage() throws {
    let log = try TemporaryLog()
    let mine = log.folder + "/mine"
    #expect(try Helper(["no-errors", mine], trace: log.path).finish().status == 0)
    #expect(try log.text(mine) == "precious")
    #expect(try log.records().last?["lost"] as? Int ?? 0 > 0)
  }

  @Test("gets the next file of its log as soon as that can be made, and no empty one before")
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

  @Test("loses what the next file of its log has no room for, and goes on")
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

  @Test("finds a deleted log where it was, wherever it has gone since")
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

  @Test("keeps what it has written to its standard output where the log goes there too")
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

  @Test("keeps other logs away from its standard output where the log goes there")
  func sharedOutput() throws {
    let log = try TemporaryLog()
    let result = try Helper(["output-shared", log.path], trace: log.path).finish()
    #expect(result.errors == log.path + ".2")
    let lines = try log.lines()
    #expect(lines.first == "first")
    #expect(lines.count { $0.hasPrefix("{") } == 6)
    // The lock went with the log.
    let recorder = try Recorder(path: log.path)
    #expect(recorder.path == log.path)
    recorder.finish()
  }

  @Test("has its whole log in its standard output where it closes all other descriptors")
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

  @Test("gets one warning if it closes the standard output that its log goes to")
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

  @Test("gets no record into its file that has the number of standard error")
  func noRecord() throws {
    let log = try TemporaryLog()
    let mine = log.folder + "/mine"
    let result = try Helper(["errors-replaced", mine], trace: nil).finish()
    #expect(result.status == 0)
    #expect(result.errors.contains("before"))
    #expect(try log.text(mine) == "precious")
  }

  @Test("gets no message into its pipe that has the number of standard error")
  func noMessageInPipe() throws {
    let result = try Helper(["errors-piped"], trace: "/no/such/x.jsonl").finish()
    #expect(result.output == "1\n")
  }

  @Test("gets no terminal of its own from a log that cannot be written there")
  func noTerminal() throws {
    #expect(try Helper(["terminal"], trace: nil).finish().output == "none\n")
  }

  @Test("may stop its log on several threads, none of which goes on before that is done")
  func stopsTwice() throws {
    #expect(try Helper(["stop-twice"], trace: nil).finish().output == "in time\n")
  }

  @Test(
    "traces nothing where it has other rights than the user who has started it",
    .enabled(if: getuid() == 0, "only the administrator can give a program away"),
    .enabled(if: !isSanitized, "a sanitizer may not look at a program with other rights"))
  func foreignRights() throws {
    let log = try TemporaryLog()
    let folder = log.folder + "/open"
    let program = log.folder + "/program"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // By another process: a program cannot be started while a child of another test has it open for writing.
    let copying = try ChildProcess("/bin/cp", [Helper.path, program])
    #expect(copying.finish().ending == .exited(0))
    for path in [log.folder, folder] { #expect(chmod(path, 0o777) == 0) }
    #expect(chown(program, 65534, 65534) == 0)
    #expect(chmod(program, 0o4755) == 0)
    let path = folder + "/log.jsonl"
    let settings = ["REACTIVE_TRACE_ALL": "1", "REACTIVE_TRACE_UNKNOWN": "1"]
    let result = try Helper(["rights"], trace: path, settings, program: program).finish()
    // A file system may be mounted so that programs have only the rights of who starts them.
    guard result.output.hasPrefix("foreign: true\n") else { return }
    #expect(result.output == "foreign: true\non: false\n")
    #expect(result.errors == "")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "may send on a lane from signal handlers, whatever they interrupt",
    .enabled(if: !isSanitized, "a signal may interrupt a sanitizer while it holds locks of its own")
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
    "may exit from a signal handler, whatever that interrupts",
    .enabled(if: !isSanitized, "the handler may interrupt a sanitizer that holds its own locks"),
    arguments: 1...24)
  func exitsFromHandler(times: Int) throws {
    let log = try TemporaryLog()
    let settings = ["REACTIVE_TRACE_MAX_SIZE": "256K"]
    let result = try Helper(
      ["interrupt", "1000000", "\(times * 20)"], trace: log.path, settings
    ).finish()
    #expect(result.status == 5)
    #expect(try log.records().first?["event"] as? String == "trace")
  }

  @Test(
    "may fork children that trace while its threads do, as often as it likes",
    .enabled(if: !isSanitized, "a sanitizer starts no threads after a fork"))
  func forks() throws {
    let log = try TemporaryLog()
    let child = log.folder + "/child.jsonl"
    let settings = [
      "REACTIVE_TRACE_MAX_SIZE": "1M", "REACTIVE_TRACE_WHEN_FULL": "rotate:2", "CHILD_TRACE": child,
    ]
    let times = isSanitized ? 20 : TestLength.isLong ? 2000 : 200
    let result = try Helper(["forks", "\(times)"], trace: log.path, settings).finish()
    #expect(result.status == 0)
    #expect(result.output == "\(times)\n")
    #expect(try log.records(child).last?["event"] as? String == "end")
  }
}
