import Synchronization
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import SystemLibrary

@Suite("Concurrent writing", .ownThread)
struct ConcurrentWritingTests {
  @Test("Eight threads write one log without losing or mixing records")
  func eightThreads() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    let (threads, count) = (8, 10_000)
    onThreads(threads) { number in
      let subscription = recorder.subscription("lane \(number)")
      for element in 0..<count { subscription.next(text: "\(number):\(element)") }
      subscription.completed()
    }
    recorder.finish()

    let records = try log.records()
    let end = try #require(records.last)
    #expect(end["records"] as? Int == records.count - 1)
    #expect(end["lost"] as? Int == 0)
    var values: [String: [String]] = [:]
    for record in records where record["event"] as? String == "next" {
      let lane = try #require(record["lane"] as? String)
      values[lane, default: []].append(try #require(record["value"] as? String))
    }
    for number in 0..<threads {
      let expected = (0..<count).map { "\(number):\($0)" }
      #expect(values["lane \(number)"] == expected)
    }
    let subscribed = records.filter { $0["event"] as? String == "subscribe" }
    #expect(Set(subscribed.compactMap { $0["sub"] as? Int }) == Set(1...threads))
  }

  @Test("Many more threads than cores write one log without losing records")
  func manyThreads() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    onThreads(64) { number in
      let subscription = recorder.subscription("lane \(number)")
      for element in 0..<200 { subscription.next(text: "\(element)") }
      subscription.completed()
    }
    recorder.finish()
    let records = try log.records()
    #expect(records.last?["records"] as? Int == records.count - 1)
    #expect(records.count { $0["event"] as? String == "next" } == 64 * 200)
    #expect(records.count { $0["event"] as? String == "thread" } == 64)
    #expect(records.count { $0["event"] as? String == "completed" } == 64)
  }

  @Test("A subscription that many threads end has one end, and no records follow it")
  func oneEnd() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    for _ in 0..<100 {
      let subscription = recorder.subscription()
      onThreads(8) { number in
        subscription.next(text: "\(number)")
        switch number % 4 {
        case 0: subscription.completed()
        case 1: subscription.failed("e")
        case 2: subscription.disposed()
        default: subscription.released()
        }
        subscription.next(text: "late")
        #expect(subscription.hasEnded)
      }
    }
    recorder.finish()
    var ends: [Int: Int] = [:]
    let records = try log.records().filter { ($0["sub"] as? Int ?? 0) > 0 }
    for record in records {
      guard let id = record["sub"] as? Int, let time = record["t"] as? Int else { continue }
      if ["completed", "failed", "disposed", "released"].contains(record["event"] as? String ?? "")
      {
        #expect(ends.updateValue(time, forKey: id) == nil)
      }
    }
    #expect(Set(ends.keys) == Set(1...100))
    for record in records {
      guard let id = record["sub"] as? Int, let time = record["t"] as? Int else { continue }
      #expect(time <= ends[id] ?? 0)
    }
  }

  @Test("Finishing a log while threads write leaves complete records before the end")
  func finishWhileWriting() throws {
    for _ in 0..<20 {
      let log = try TemporaryLog()
      let recorder = try Recorder(path: log.path)
      let written = Atomic<Int>(0)
      onThreads(5) { number in
        if number == 4 {
          while written.load(ordering: .relaxed) < 500 {}
          // On a busy machine, a writer can be delayed for longer than a log normally waits.
          recorder.finish(by: LogClock.monotonic() + 300_000_000_000)
          return
        }
        let subscription = recorder.subscription()
        while recorder.isOpen {
          subscription.next(text: "some text")
          written.wrappingAdd(1, ordering: .relaxed)
        }
        subscription.completed()
      }
      let records = try log.records()
      #expect(records.last?["event"] as? String == "end")
      #expect(records.last?["records"] as? Int == records.count - 1)
    }
  }

  @Test("A thread record precedes every other record with that thread number")
  func threadNumbers() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    onThreads(8) { _ in recorder.subscription().disposed() }
    recorder.finish()
    var known: Set<Int> = []
    for record in try log.records().dropFirst() {
      guard let thread = record["thread"] as? Int else { continue }
      if record["event"] as? String == "thread" {
        #expect(known.insert(thread).inserted)
      } else {
        #expect(known.contains(thread))
      }
    }
    #expect(known == Set(2...9))
  }
}
