import Dispatch
import Foundation
import Synchronization
import SystemLibrary
import TestSupport
import Testing

@testable import ReactiveKit
@testable import ReactiveTrace
@testable import TraceFormat

/// A thread-safe list of strings.
private final class Notes: Sendable {
  private let texts = BlockingMutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  var all: [String] { texts.withLock { $0 } }
}

extension ProcessLogTests {
  @Suite("Sinks", .ownThread)
  struct SinkTests {
    @Test("Record.Event has a name for each event of the format and keeps unknown names")
    func events() {
      let named: [Trace.Record.Event] = [
        .trace, .thread, .subscribe, .next, .completed, .failed, .disposed, .released, .breakpoint,
        .mark, .scopeBegin, .scopeEnd, .lost, .continued, .alive, .place, .retained, .changed,
        .task, .suspended, .resumed, .object, .instances, .process, .stack, .hang, .end,
      ]
      #expect(named.map(\.rawValue) == LogFormat.Event.allCases.map(\.rawValue))
      #expect("scope-begin" == Trace.Record.Event.scopeBegin)
      #expect(Trace.Record.Event(rawValue: "later").rawValue == "later")
    }

    @Test("All sinks of a log receive the same complete records in the same order")
    func several() throws {
      let log = try TemporaryLog()
      let (first, second, notes) = (Trace.MemorySink(), Trace.MemorySink(), Notes())
      try Trace.start(to: [
        .file(log.path), .memory(first), .memory(second),
        .custom(close: { notes.add("close") }) { notes.add($0.json) },
      ])
      #expect(Trace.path == log.path)
      Signal<Int, Never>(sequence: 1...3).lane("a").observe { _ in }.dispose()
      Trace.stop()
      let lines = try log.lines()
      #expect(lines.count == 9)
      #expect(first.lines == lines)
      #expect(second.lines == lines)
      #expect(notes.all == lines + ["close"])
    }

    @Test("Sinks receive a subscription's records in order while many threads write")
    func order() throws {
      let notes = Notes()
      let memory = Trace.MemorySink()
      try Trace.start(to: [.memory(memory), .custom { notes.add($0.json) }])
      onThreads(8) { number in
        let subject = PassthroughSubject<Int, Never>()
        let disposable = subject.lane("lane \(number)").observe { _ in }
        for index in 0..<200 { subject.send(index) }
        disposable.dispose()
      }
      Trace.stop()
      #expect(notes.all == memory.lines)
      for number in 0..<8 {
        let records = memory.records.filter { $0.lane == "lane \(number)" }
        #expect(records.compactMap(\.value) == (0..<200).map(String.init))
        #expect(records.first?.event == .subscribe)
        #expect(records.last?.event == .disposed)
      }
      let end = try #require(memory.lines.last)
      #expect(end.contains("\"records\":\(memory.lines.count - 1),"))
    }

    @Test("A sink can observe traced signals without those observations being traced")
    func reentrant() throws {
      let notes = Notes()
      let subject = PassthroughSubject<String, Never>()
      let relay = subject.lane("relay")
      let unchecked = UncheckedBox(subject)
      try Trace.start(to: [
        .custom { record in
          guard record.event == .next else { return }
          notes.add(record.value ?? "")
          Signal<Int, Never>(just: 1).lane("inside").observe { _ in }.dispose()
          // The subject is in the middle of an event, so this one comes after it, and is traced.
          if record.value != "again" { unchecked.value.send("again") }
        }
      ])
      var seen: [String] = []
      let disposable = relay.observeNext { seen.append($0) }
      subject.send("a")
      subject.send("b")
      disposable.dispose()
      Trace.stop()
      #expect(notes.all == ["a", "again", "b", "again"])
      #expect(seen == ["a", "again", "b", "again"])
    }

    @Test("A slow sink doesn't block other threads that trace")
    func slow() throws {
      let (gate, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isFirst = Atomic<Bool>(true)
      try Trace.start(to: [
        .custom { record in
          guard record.event == .next, isFirst.exchange(false, ordering: .relaxed) else { return }
          entered.signal()
          gate.wait()
        }
      ])
      let done = DispatchSemaphore(value: 0)
      Thread {
        Signal<Int, Never>(just: 1).lane("held").observe { _ in }.dispose()
        done.signal()
      }.start()
      entered.wait()
      // The sink is in the middle of a record, but this thread isn't blocked.
      Signal<Int, Never>(just: 2).lane("free").observe { _ in }.dispose()
      gate.signal()
      done.wait()
      Trace.stop()
    }

    @Test("A sink can wait for another thread that traces")
    func waiting() throws {
      let queue = DispatchQueue(label: "sink.queue")
      let notes = Notes()
      try Trace.start(to: [
        .custom { record in
          notes.add(record.event.rawValue)
          queue.sync {
            Signal<Int, Never>(just: 1).lane("on the queue").observe { _ in }.dispose()
          }
        }
      ])
      Signal<Int, Never>(just: 1).lane("a").observe { _ in }.dispose()
      Trace.stop()
      #expect(notes.all == ["trace", "thread", "subscribe", "next", "completed", "place", "end"])
    }

    @Test(
      "Sinks receive nothing after the end record and are then closed",
      arguments: 0..<(isSanitized ? 4 : 20))
    func endIsLast(_: Int) throws {
      let notes = Notes()
      let memory = Trace.MemorySink()
      try Trace.start(to: [
        .memory(memory), .custom(close: { notes.add("close") }) { notes.add($0.event.rawValue) },
      ])
      let written = Atomic<Int>(0)
      onThreads(5) { number in
        if number == 4 {
          while written.load(ordering: .relaxed) < 200 {}
          return Trace.stop()
        }
        let signal = Signal<Int, Never>(just: 1).lane("lane \(number)")
        // Stopping a log delivers what the sinks can take in 0.2 seconds.
        while Trace.isOn, written.load(ordering: .relaxed) < 2000 {
          signal.observe { _ in }.dispose()
          written.wrappingAdd(1, ordering: .relaxed)
        }
      }
      let all = notes.all
      #expect(all.suffix(2) == ["end", "close"])
      #expect(memory.records.last?.event == .end)
      #expect(memory.lines.last?.contains("\"records\":\(memory.lines.count - 1),") == true)
      #expect(all.count == memory.lines.count + 1)
    }

    @Test("The thread that stops a log delivers the queued records to sinks", arguments: 0..<10)
    func waitingLines(_: Int) throws {
      let (notes, isBusy, mayGoOn) = (Notes(), Flag(), Flag())
      let memory = Trace.MemorySink()
      let isInTime = Atomic(false)
      try Trace.start(to: [
        .memory(memory),
        .custom(close: { notes.add("close") }) { record in
          notes.add("\(record.event.rawValue) \(record.name ?? "") \(pthread_self())")
          guard record.name == "first" else { return }
          isBusy.raise()
          mayGoOn.wait()
        },
      ])
      onThreads(3) { number in
        if number == 0 { return Trace.mark("first") }
        isBusy.wait()
        if number == 1 {
          for _ in 0..<300 { Trace.mark("later") }
          let start = ContinuousClock.now
          Trace.stop()
          isInTime.store(ContinuousClock.now - start < .milliseconds(200), ordering: .relaxed)
          return
        }
        // The memory sink never waits for another sink, so its last record shows that the log
        // ended.
        while memory.lines.last?.contains(#""event":"end""#) != true { yieldThread() }
        mayGoOn.raise()
      }
      let all = notes.all.map { $0.split(separator: " ") }
      let busyThread = all.first { $0.contains("first") }?.last
      #expect(!all.contains { $0.contains("later") && $0.last == busyThread })
      #expect(all.last?.first == "close")
      // After 0.2 s, the log stops waiting for a sink that is still busy.
      guard isInTime.load(ordering: .relaxed) else { return }
      #expect(all.count { $0.contains("later") } == 300)
      #expect(all.suffix(2).map(\.first) == ["end", "close"])
    }

    @Test("Sinks are deallocated after their log stops")
    func freed() throws {
      weak var memory: Trace.MemorySink?
      weak var object: Notes?
      func trace() throws {
        let (made, notes) = (Trace.MemorySink(), Notes())
        (memory, object) = (made, notes)
        try Trace.start(to: [.memory(made), .custom { notes.add($0.json) }])
        Trace.mark("a")
        Trace.stop()
      }
      try trace()
      #expect(memory == nil)
      #expect(object == nil)
    }

    @Test("A subscription made inside a sink isn't traced or listed as active")
    func madeInside() throws {
      let subject = PassthroughSubject<Int, Never>()
      let inside = UncheckedBox((subject, DisposeBag()))
      try Trace.start(to: [
        .custom { record in
          guard record.event == .mark else { return }
          inside.value.0.lane("inside").observe { _ in }.dispose(in: inside.value.1)
        }
      ])
      Trace.mark("a")
      #expect(Trace.activeSubscriptions == [])
      inside.value.1.dispose()
      Trace.stop()
    }

    @Test("Starting a log with two files fails")
    func twoFiles() throws {
      let log = try TemporaryLog()
      let error = #expect(throws: TraceError.self) {
        try Trace.start(to: [.file(log.path), .file(log.path + ".b")])
      }
      #expect(error?.code == .alreadyWriting)
      #expect(!Trace.isOn)
    }

    @Test("A memory sink can be emptied while its log is running")
    func emptied() throws {
      let log = try ProcessLog()
      Trace.mark("a")
      log.memory.removeAll()
      Trace.mark("b")
      #expect(log.story == ["mark b"])
    }
  }
}

/// Carries a value into a `Sendable` closure. Only one thread at a time uses it.
private struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
