import Dispatch
import OpenCombine
import ReactiveTrace
import Synchronization
import Testing
import TracedOpenCombine

extension TransparencyTests {
  @Suite("What lanes write")
  struct LaneTests {
    /// Returns the records of the subscriptions that `body` makes, without the header and threads.
    private func records(_ body: () -> Void) throws -> [Trace.Record] {
      let memory = Trace.MemorySink()
      try Trace.start(to: [.memory(memory)])
      body()
      Trace.stop()
      return memory.records.filter { $0.subscription != nil && $0.lane?.hasPrefix("call") != true }
    }

    private func events(_ body: () -> Void) throws -> [String] {
      try records(body).filter { $0.event != .place && $0.event != .retained }.map {
        ["\($0.lane ?? "-") \($0.event.rawValue)", $0.value ?? $0.error].compactMap(\.self)
          .joined(separator: " ")
      }
    }

    @Test("A lane writes the beginning, the elements and the completion")
    func completion() throws {
      let events = try events {
        _ = [1, 2].publisher.lane("numbers").sink { _ in }
      }
      #expect(
        events == ["numbers subscribe", "numbers next 1", "numbers next 2", "numbers completed"])
    }

    @Test("A lane follows a published property")
    func published() throws {
      let search = Search()
      let events = try events {
        let cancellable = search.$query.lane("query").sink { _ in }
        search.query = "swift"
        cancellable.cancel()
      }
      #expect(
        events == ["query subscribe", "query next ", "query next swift", "query disposed"])
    }

    @Test("A lane writes the error")
    func failure() throws {
      let events = try events {
        _ = Fail<Int, PipelineError>(error: PipelineError(number: 4)).lane("failing")
          .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      }
      #expect(events == ["failing subscribe", "failing failed error 4"])
    }

    @Test("A subscription is disposed when its set of cancellables is emptied")
    func cancellation() throws {
      let subject = PassthroughSubject<Int, Never>()
      let events = try events {
        var cancellables: Set<AnyCancellable> = []
        subject.lane("subject").sink { _ in }.store(in: &cancellables)
        subject.send(7)
        cancellables = []
        subject.send(8)
      }
      #expect(events == ["subject subscribe", "subject next 7", "subject disposed"])
    }

    @Test("A subscription whose source is deallocated is released")
    func release() throws {
      let events = try events {
        Empty<Int, Never>(completeImmediately: false).lane("endless").subscribe(Forgetting())
      }
      #expect(events == ["endless subscribe", "endless released"])
    }

    @Test("The lane downstream is the parent, and the lane whose element subscribes is the cause")
    func parentAndCause() throws {
      let records = try records {
        let outer = PassthroughSubject<Int, Never>()
        let cancellable = outer.lane("outer").flatMap { Just($0).lane("inner") }.lane("all")
          .sink { _ in }
        outer.send(3)
        cancellable.cancel()
      }
      let beginnings = records.filter { $0.event == .subscribe }
      #expect(beginnings.map(\.lane) == ["all", "outer", "inner"])
      #expect(beginnings.map(\.parent) == [nil, 1, nil])
      #expect(beginnings.map(\.cause) == [nil, nil, 2])
      #expect(beginnings[0].observed != nil && beginnings[0].observed == beginnings[1].observed)
    }

    @Test("`debug` and `breakpoint` write their lanes")
    func debugAndBreakpoint() throws {
      let before = Trace.breakpointAction
      defer { Trace.breakpointAction = before }
      Trace.breakpointAction = .log
      let records = try records {
        _ = [1, 2].publisher.breakpoint("stop", receiveOutput: { $0 == 2 }).debug("shown").sink {
          _ in
        }
      }
      #expect(records.filter { $0.event == .breakpoint }.map(\.value) == ["2"])
      #expect(records.first { $0.event == .subscribe }?.operator == .debug)
    }

    @Test("A subscription has its library, with which its advice is made")
    func library() throws {
      let records = try records { _ = Just(1).lane("one").debug("two").sink { _ in } }
      #expect(
        records.filter { $0.event == .subscribe }.map(\.library) == ["OpenCombine", "OpenCombine"])
    }

    @Test("Without a log, a lane isn't part of the subscription")
    func off() {
      var description = ""
      Empty<Int, Never>(completeImmediately: false).lane("off")
        .print("", to: Text { description += $0 }).subscribe(Forgetting())
      #expect(description.contains("receive subscription: (Empty)"))
    }

    @Test("Elements that pass through two queues arrive in order, and each lane ends once")
    func threads() throws {
      var received: [Received] = []
      let records = try records {
        let group = DispatchGroup()
        var cancellables: [AnyCancellable] = []
        for number in 0..<50 {
          let subject = PassthroughSubject<Int, Never>()
          let values = Received()
          let cancellable = subject.lane("sent \(number)")
            .receive(on: QueueScheduler(DispatchQueue(label: "queue \(number)"), group))
            .lane("received \(number)").sink { values.append($0) }
          received.append(values)
          cancellables.append(cancellable)
          nonisolated(unsafe) let (source, canceled) = (subject, cancellable)
          DispatchQueue.global().async(group: group) {
            for value in 0..<20 { source.send(value) }
            if number % 2 == 0 { canceled.cancel() } else { source.send(completion: .finished) }
          }
        }
        group.wait()
      }
      for (number, values) in received.enumerated() {
        #expect(values.all == Array((0..<20).prefix(values.all.count)))
        if number % 2 == 1 { #expect(values.all.count == 20) }
      }
      let ends: Set<Trace.Record.Event> = [.completed, .disposed, .released]
      for (id, records) in Dictionary(grouping: records, by: \.subscription) {
        #expect(records.count { ends.contains($0.event) } == 1, "\(String(describing: id))")
      }
      #expect(records.count { $0.event == .subscribe } == 100)
    }
  }
}

private final class Search {
  @Published var query = ""
}

/// A subscriber that releases its subscription without canceling it.
private struct Forgetting: Subscriber {
  let combineIdentifier = CombineIdentifier()
  func receive(subscription: any Subscription) {}
  func receive(_ input: Int) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}

private struct Text: TextOutputStream {
  let append: (String) -> Void
  func write(_ string: String) { append(string) }
}

private final class Received: Sendable {
  private let values = Mutex<[Int]>([])
  func append(_ value: Int) { values.withLock { $0.append(value) } }
  var all: [Int] { values.withLock { $0 } }
}

/// A scheduler on a dispatch queue.
private struct QueueScheduler: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never
  let queue: DispatchQueue
  let group: DispatchGroup

  init(_ queue: DispatchQueue, _ group: DispatchGroup) { (self.queue, self.group) = (queue, group) }

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { ImmediateScheduler.shared.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    queue.async(group: group) { action() }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { schedule(options: options, action) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return AnyCancellable {}
  }
}
