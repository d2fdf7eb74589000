import ProcessMemory
import Testing
import TraceFormat

@testable import ProcessInspection

@testable import TaskInspection

@Suite("Causes of hangs")
struct HangFindingTests {
  private typealias Samples = InspectionSamples
  private let testName = "[Swift Testing] test adds() - running"

  private func places(_ finding: HangFinding?) -> [String] {
    finding?.places.map { $0.function ?? "" } ?? []
  }

  @Test("A test that waits for a task leads to the continuation of that task")
  func continuation() throws {
    let inspection = Samples.inspection(tasks: [
      Samples.task(
        3, name: testName, waitsFor: .task(4 * 256), frames: [Samples.frame("adds()", line: 1)]),
      Samples.task(4, waitsFor: .continuation(1), frames: [Samples.frame("load()", line: 8)]),
    ])
    let finding = try #require(inspection.findings.first)
    #expect(inspection.findings.count == 1)
    #expect(finding.cause == .continuation(nil))
    #expect(finding.test?.name == "adds()")
    #expect(finding.tasks == [0, 1])
    #expect(places(finding) == ["load()", "adds()"])
    #expect(!finding.isProven)
  }

  @Test("A wait whose task has only library code is named after the task that waits for it")
  func libraryCode() {
    let inspection = Samples.inspection(tasks: [
      Samples.task(
        3, name: testName, waitsFor: .task(4 * 256), frames: [Samples.frame("adds()", line: 1)]),
      Samples.task(4, waitsFor: .continuation(1), frames: [Samples.frame("wait()", .system)]),
    ])
    #expect(places(inspection.findings.first) == ["adds()"])
  }

  @Test("The code of the package itself comes before that of its dependencies")
  func dependency() {
    let frames = [
      Samples.frame("get()", line: 3, .dependency), Samples.frame("load()", line: 8),
      Samples.frame("adds()", line: 1),
    ]
    #expect(frames.place?.function == "load()")
    #expect(Array(frames.prefix(1)).place?.function == "get()")
  }

  @Test("A task of a library that waits comes after one with code of the package")
  func tasksOfLibraries() {
    let idle = Samples.task(
      1, waitsFor: .continuation(0x100),
      frames: [Samples.frame("Pool.next()", .dependency)])
    let child = Samples.task(
      2, waitsFor: .continuation(0x200),
      frames: [Samples.frame("Client.get()", .dependency)])
    let sleeper = Samples.task(
      3, waitsFor: .continuation(0x300),
      frames: [
        Samples.frame(
          "sleep", .system, symbol: "$sScTss5NeverORs_rlE5sleepyys6UInt64VYaKFZ"),
        Samples.frame("Ticker.run()", line: 9),
      ])
    let loader = Samples.task(
      4, waitsFor: .task(0x200), frames: [Samples.frame("Store.load()", line: 7)])
    func first(_ tasks: [InspectedTask]) -> [String] {
      places(Samples.inspection(tasks: tasks).findings.first)
    }
    #expect(first([idle, sleeper]) == ["Ticker.run()"])
    #expect(first([idle, child, sleeper, loader]) == ["Store.load()", "Client.get()"])
    #expect(first([idle]) == ["Pool.next()"])
  }

  @Test("A server whose tasks all wait for work is at rest, and a request that waits isn't")
  func server() {
    let next = Samples.frame(
      "Storage.next()", .dependency, symbol: "$s15AsyncAlgorithms14ChannelStorageC4nextxSgyYaF")
    let main = Samples.task(
      1, waitsFor: .group(1),
      frames: [
        Samples.frame("run()", .dependency),
        Samples.frame("main()", line: 3, symbol: "$s3App4MainV5$mainyyFZ"),
      ])
    let reader = Samples.task(
      2, waitsFor: .continuation(1), parent: 256, frames: [next, Samples.frame("serve()", line: 9)])
    let library = Samples.task(3, waitsFor: .continuation(1), parent: 256, frames: [next])
    let request = Samples.task(
      4, waitsFor: .continuation(1), parent: 256,
      frames: [
        Samples.frame("load()", line: 20), Samples.frame("handle()", line: 12),
        Samples.frame("respond()", .dependency),
      ])
    func finding(_ tasks: [InspectedTask], _ thread: ThreadActivity.Kind = .idle) -> HangFinding? {
      Samples.inspection(
        tasks: tasks,
        threads: [
          InspectedThread(
            thread: 100, name: "main", activity: ThreadActivity(thread), frames: [],
            usesProcessor: thread == .running)
        ], hasListener: true
      ).findings.first
    }
    let rest = finding([main, reader, library])
    #expect(rest?.cause == .rest)
    #expect(places(rest).isEmpty)
    #expect(finding([main, reader, library], .running)?.cause != .rest)
    let stuck = finding([main, reader, library, request])
    #expect(stuck?.cause == .continuation(nil))
    #expect(places(stuck) == ["load()"])
  }

  @Test("Of functions around a continuation, the caller is named")
  func wrapper() {
    func place(_ waitingFunction: String?, _ frames: InspectedFrame...) -> [String] {
      var task = Samples.task(
        3, name: testName, waitsFor: .continuation(4), frames: frames)
      task.waitingFunction = waitingFunction
      return places(Samples.inspection(tasks: [task]).findings.first)
    }
    let wrapper = Samples.frame("withNamedContinuation(_:)", line: 1)
    let helper = Samples.frame("suspend(_:)", line: 2)
    let test = Samples.frame("adds()", line: 9)
    #expect(place(nil, wrapper, Samples.frame("Box.next()", line: 4), test).first == "Box.next()")
    #expect(
      place("next()", helper, Samples.frame("Box.next()", line: 4), test).first == "Box.next()")
    #expect(place("suspend(_:)", helper, test).first == "suspend(_:)")
  }

  @Test("Initializers of variables that wait for each other are found although one of them runs")
  func initializers() {
    func thread(_ number: Int32, heldBy holder: Int32, moved: Bool) -> InspectedThread {
      InspectedThread(
        thread: number, name: "", activity: ThreadActivity(.once, on: "A.b", heldBy: holder),
        frames: [Samples.frame("A.init()", line: Int(number))], hasMoved: moved,
        usesProcessor: moved)
    }
    let circle = Samples.inspection(threads: [
      thread(100, heldBy: 101, moved: false), thread(101, heldBy: 100, moved: true),
    ]).findings.first
    #expect(circle?.cause == .lockCycle)
    #expect(circle?.threads == [100, 101])
    let own = Samples.inspection(threads: [thread(100, heldBy: 100, moved: true)]).findings.first
    #expect(own?.cause == .lockCycle)
    #expect(own?.threads == [100])
  }

  @Test("A helper that takes all locks is left out in favor of the functions that call it")
  func helperOfLocks() {
    func thread(_ number: Int32, heldBy holder: Int32, _ caller: String) -> InspectedThread {
      let helper = Samples.frame("guarded()", line: 1)
      return InspectedThread(
        thread: number, name: "", activity: ThreadActivity(.lock, heldBy: holder),
        frames: [
          helper, Samples.frame("closure in \(caller)", line: Int(number)), helper,
          Samples.frame(caller, line: Int(number) + 50),
        ])
    }
    let finding = Samples.inspection(threads: [
      thread(100, heldBy: 101, "pick()"), thread(101, heldBy: 100, "restock()"),
    ]).findings.first
    #expect(places(finding) == ["closure in pick()", "closure in restock()"])
  }

  @Test("A semaphore leads to the task that has it, and to what that task waits for")
  func semaphore() {
    var signaler = Samples.task(
      3, waitsFor: .continuation(4), frames: [Samples.frame("receive()", line: 20)])
    signaler.servedThreads = [100]
    let other = Samples.task(2, waitsFor: .continuation(4), frames: [Samples.frame("other()")])
    let finding = Samples.inspection(
      tasks: [other, signaler],
      threads: [
        InspectedThread(
          thread: 100, name: "main", activity: ThreadActivity(.semaphore),
          frames: [Samples.frame("load()", line: 7)])
      ]
    ).findings.first
    #expect(finding?.cause == .continuation(nil))
    #expect(places(finding) == ["receive()", "load()"])
  }

  @Test("Tasks that wait for each other's ends are proven, if all tasks were found")
  func taskCycle() throws {
    let tasks = [
      Samples.task(1, name: testName, waitsFor: .task(2 * 256), frames: [Samples.frame("a()")]),
      Samples.task(2, waitsFor: .task(3 * 256), frames: [Samples.frame("b()")]),
      Samples.task(3, waitsFor: .task(2 * 256), frames: [Samples.frame("c()")]),
    ]
    let finding = try #require(Samples.inspection(tasks: tasks).findings.first)
    #expect(finding.cause == .taskCycle && finding.isProven)
    #expect(places(finding) == ["b()", "c()"])
    let incomplete = Samples.inspection(tasks: tasks, isComplete: false).findings
    #expect(incomplete.allSatisfy { !$0.isProven })
  }

  @Test("Threads that wait for each other are found, and others that wait for them aren't")
  func lockCycle() throws {
    let threads = [
      InspectedThread(
        thread: 100, name: "main", activity: ThreadActivity(.lock, heldBy: 101),
        frames: [Samples.frame("a()")]),
      InspectedThread(
        thread: 101, name: "one", activity: ThreadActivity(.queue, on: "q", heldBy: 102),
        frames: [Samples.frame("b()")]),
      InspectedThread(
        thread: 102, name: "two", activity: ThreadActivity(.lock, heldBy: 101),
        frames: [Samples.frame("c()")]),
    ]
    let finding = try #require(Samples.inspection(threads: threads).findings.first)
    #expect(finding.cause == .lockCycle && !finding.isProven)
    #expect(finding.threads == [101, 102])
    #expect(places(finding) == ["b()", "c()"])
  }

  @Test("A thread that waits for its own lock is found even if the main thread sleeps")
  func ownLock() {
    let threads = [
      InspectedThread(
        thread: 100, name: "main", activity: ThreadActivity(.sleep),
        frames: [Samples.frame("a()")]),
      InspectedThread(
        thread: 101, name: "worker", activity: ThreadActivity(.lock, heldBy: 101),
        frames: [Samples.frame("b()")]),
    ]
    let finding = Samples.inspection(threads: threads).findings.first
    #expect(finding?.cause == .lockCycle)
    #expect(finding?.threads == [101])
    #expect(places(finding) == ["b()"])
  }

  @Test("A thread that waits for a lock leads to what the holder of the lock waits for")
  func holder() {
    func finding(holderIsBusy: Bool) -> HangFinding? {
      Samples.inspection(threads: [
        InspectedThread(
          thread: 100, name: "main", activity: ThreadActivity(.lock, heldBy: 101),
          frames: [Samples.frame("a()")]),
        InspectedThread(
          thread: 101, name: "worker", activity: ThreadActivity(.read, on: "pipe:[7]"),
          frames: [Samples.frame("b()")], hasMoved: true, usesProcessor: holderIsBusy),
      ]).findings.first
    }
    let blocked = finding(holderIsBusy: false)
    #expect(blocked?.cause == .blockedThread(.read))
    #expect(blocked?.threads == [100, 101])
    #expect(places(blocked) == ["b()", "a()"])
    #expect(finding(holderIsBusy: true)?.cause == .busy)
  }

  @Test("A process whose threads are all stopped hangs because of the signal or the debugger")
  func stopped() {
    func cause(_ tracer: Int32?, _ activities: ThreadActivity.Kind...) -> HangFinding.Cause? {
      let threads = activities.enumerated().map { index, activity in
        InspectedThread(
          thread: 100 + Int32(index), name: "main", activity: ThreadActivity(activity),
          frames: [Samples.frame("a()")])
      }
      return Samples.inspection(threads: threads, tracer: tracer).findings.first?.cause
    }
    #expect(cause(nil, .stopped, .stopped) == .stopped(.signal))
    #expect(cause(7, .stopped) == .stopped(.tracer(7)))
    #expect(cause(7, .sleep) == .blockedThread(.sleep))
    #expect(cause(nil, .semaphore, .stopped) == .blockedThread(.semaphore))
  }

  @Test("A promise leads to an event loop that is blocked in code of the user, and not at rest")
  func eventLoop() {
    func finding(_ activity: ThreadActivity.Kind, _ frame: InspectedFrame) -> HangFinding? {
      let get = Samples.frame(
        "get()", .dependency, symbol: "$s7NIOCore15EventLoopFutureC3getxyYaKFTY0_")
      return Samples.inspection(
        tasks: [
          Samples.task(
            3, name: testName, waitsFor: .continuation(4),
            frames: [get, Samples.frame("load()")])
        ],
        threads: [
          InspectedThread(
            thread: 102, name: "NIO-ELT-0-#0", activity: ThreadActivity(activity), frames: [frame])
        ]
      ).findings.first
    }
    let blocked = finding(.semaphore, Samples.frame("handle()"))
    #expect(blocked?.cause == .blockedThread(.semaphore))
    #expect(places(blocked).first == "handle()")
    let atRest = finding(.events, Samples.frame("run()", .dependency))
    #expect(atRest?.cause == .continuation(.promise))
    #expect(places(atRest) == ["load()"])
  }

  @Test("A thread that waits for a promise leads to a blocked event loop, unless that waits for it")
  func threadAndEventLoop() {
    func places(_ loop: ThreadActivity) -> [String] {
      let wait = Samples.frame("EventLoopFuture.wait(file:line:)", .dependency)
      return self.places(
        Samples.inspection(
          threads: [
            InspectedThread(
              thread: 100, name: "app", activity: ThreadActivity(.condition),
              frames: [wait, Samples.frame("check()")]),
            InspectedThread(
              thread: 102, name: "NIO-ELT-0-#0", activity: loop,
              frames: [Samples.frame("handle()")]),
          ]
        ).findings.first)
    }
    #expect(places(ThreadActivity(.semaphore)).first == "handle()")
    #expect(places(ThreadActivity(.condition)).first == "handle()")
    #expect(places(ThreadActivity(.lock, heldBy: 100)).first == "check()")
  }

  @Test("The line of the test comes after the one that waits, which can be in a helper")
  func helper() {
    let inspection = Samples.inspection(tasks: [
      Samples.task(
        3, name: testName, waitsFor: .continuation(4),
        frames: [
          Samples.frame("waitUntil()", line: 3), Samples.frame("adds()", line: 20),
          Samples.frame("run()", .system),
        ])
    ])
    #expect(places(inspection.findings.first) == ["waitUntil()", "adds()"])
  }

  @Test("An asynchronous test of XCTest has the name of its function")
  func nameOfAsynchronousTest() {
    let inspection = Samples.inspection(
      tasks: [
        Samples.task(
          3, waitsFor: .continuation(4),
          frames: [
            Samples.frame("load()"), Samples.frame("ShopTests.testLoad()"),
            Samples.frame(
              "implicit closure #2 in static ShopTests.__allTests__ShopTests",
              symbol: "$s9ShopTests0aB0C11__allTests__aB0SayXpGvpZfiAEyYaKcACcfu_"),
            Samples.frame("awaiting", .system, symbol: "$s6XCTest13awaitUsing"),
          ])
      ],
      threads: [
        InspectedThread(
          thread: 100, name: "main", activity: ThreadActivity(.events),
          frames: [Samples.frame("run", .system, symbol: "$s6XCTest0A4CaseC3run")])
      ])
    #expect(inspection.findings.first?.test?.name == "ShopTests.testLoad()")
  }

  @Test("A task that moved between the two looks is busy, and isn't in a cycle")
  func moved() {
    func findings(_ hasMoved: Bool) -> [HangFinding.Cause] {
      Samples.inspection(tasks: [
        Samples.task(
          3, name: testName, waitsFor: .task(4 * 256), frames: [Samples.frame("a()")]),
        Samples.task(
          4, waitsFor: .task(3 * 256), frames: [Samples.frame("b()")], hasMoved: hasMoved),
      ]).findings.map(\.cause)
    }
    #expect(findings(false) == [.taskCycle])
    #expect(findings(true).allSatisfy { $0 != .taskCycle })
    func poll(isBusy: Bool) -> [HangFinding.Cause] {
      Samples.inspection(
        tasks: [
          Samples.task(
            3, name: testName, waitsFor: .continuation(4), frames: [Samples.frame("poll()")],
            hasMoved: true)
        ],
        threads: [
          InspectedThread(
            thread: 100, name: "", activity: ThreadActivity(.idle), frames: [],
            usesProcessor: isBusy)
        ]
      ).findings.map(\.cause)
    }
    #expect(poll(isBusy: true) == [.busy])
    #expect(poll(isBusy: false) == [.continuation(nil)])
  }

  @Test("Task.yield isn't a continuation that nobody resumes")
  func yield() {
    let yield = Samples.frame("yield", .system, symbol: "$sScTss5NeverORszABRs_rlE5yieldyyYaFZTQ0_")
    let findings = Samples.inspection(tasks: [
      Samples.task(
        3, name: testName, waitsFor: .continuation(4), frames: [yield, Samples.frame("poll()")])
    ]).findings
    #expect(findings.map(\.cause) == [.busy])
    #expect(places(findings.first) == ["poll()"])
  }

  @Test("A pool is blocked only if each of its threads is, and a task waits for a thread")
  func blockedPool() {
    func findings(_ activity: ThreadActivity.Kind, waiting: Bool) -> [HangFinding.Cause] {
      let threads = [Int32(101), 102].map { number in
        InspectedThread(
          thread: number, name: "pool",
          activity: ThreadActivity(number == 101 ? .semaphore : activity),
          frames: [Samples.frame("block\(number)()")], task: Int(number) - 101)
      }
      let tasks =
        [Int32(101), 102].map { number in
          Samples.task(UInt64(number), status: Samples.running, thread: number)
        } + (waiting ? [Samples.task(200, status: Samples.enqueued)] : [])
      return Samples.inspection(tasks: tasks, threads: threads).findings.map(\.cause)
    }
    #expect(findings(.semaphore, waiting: true) == [.blockedPool(queue: nil)])
    #expect(!findings(.running, waiting: true).contains(.blockedPool(queue: nil)))
    #expect(!findings(.semaphore, waiting: false).contains(.blockedPool(queue: nil)))
  }

  @Test("A task that waits for the main actor leads to the blocked main thread")
  func mainActor() throws {
    let inspection = Samples.inspection(
      tasks: [
        Samples.task(
          3, name: testName, waitsFor: .executor(9), frames: [Samples.frame("adds()")],
          executor: InspectedTask.mainActor)
      ],
      threads: [
        InspectedThread(
          thread: 100, name: "main", activity: ThreadActivity(.semaphore),
          frames: [Samples.frame("open()")])
      ])
    let finding = try #require(inspection.findings.first)
    #expect(finding.cause == .blockedThread(.semaphore))
    #expect(places(finding) == ["open()"])
  }

  @Test("Of the children of a group, the one that is blocked comes before one that sleeps")
  func group() {
    let sleep = Samples.frame("sleep", .system, symbol: "$sScTss5sleep3for")
    let inspection = Samples.inspection(tasks: [
      Samples.task(3, name: testName, waitsFor: .group(1), frames: [Samples.frame("adds()")]),
      Samples.task(
        4, waitsFor: .continuation(1), parent: 3 * 256, frames: [sleep, Samples.frame("retry()")]),
      Samples.task(
        5, waitsFor: .continuation(1), parent: 3 * 256, frames: [Samples.frame("load()")]),
    ])
    #expect(places(inspection.findings.first) == ["load()"])
    let sleeping = Samples.inspection(tasks: Array(inspection.tasks.dropLast())).findings.first
    #expect(sleeping?.cause == .continuation(.sleep))
  }

  @Test("What a task waits for isn't known if the runtime's function doesn't have a name")
  func strippedRuntime() {
    let inspection = Samples.inspection(tasks: [
      Samples.task(
        3, waitsFor: .continuation(1),
        frames: [Samples.frame("", .system), Samples.frame("retry()")])
    ])
    #expect(inspection.findings.first?.cause == .unknown)
    #expect(places(inspection.findings.first) == ["retry()"])
    // A task of a server can wait for work.
    #expect(Samples.inspection(tasks: inspection.tasks, hasListener: true).findings.isEmpty)
  }

  @Test("A test of XCTest is the outermost function that XCTest calls")
  func xctest() throws {
    let xctest = Samples.frame("invoke()", .system, symbol: "$s6XCTest10XCTestCaseC6invokeyyF")
    let inspection = Samples.inspection(threads: [
      InspectedThread(
        thread: 100, name: "main", activity: ThreadActivity(.condition),
        frames: [
          Samples.frame("wait()", line: 3), Samples.frame("ShopTests.testLoad()", line: 1), xctest,
          Samples.frame("main", symbol: "main"),
        ])
    ])
    let test = try #require(inspection.tests.first)
    #expect(test.name == "ShopTests.testLoad()" && test.library == .xctest)
    #expect(places(inspection.findings.first) == ["wait()", "ShopTests.testLoad()"])
  }

  @Test("A program that can have tasks without symbols isn't at rest")
  func restWithoutSymbols() {
    func causes(hasStaticRuntime: Bool) -> [HangFinding.Cause] {
      Inspection(
        process: ProcessEntry(
          process: 100, parent: 1, command: ["./app"], isZombie: false, start: 0),
        taskList: .noRuntime, tasks: [],
        threads: [
          InspectedThread(
            thread: 100, name: "main", activity: ThreadActivity(.accept),
            frames: [Samples.frame("serve()", line: 3)])
        ], poolSize: 2, hasListener: true, hasStaticRuntime: hasStaticRuntime
      ).findings.map(\.cause)
    }
    #expect(causes(hasStaticRuntime: false) == [.rest])
    #expect(causes(hasStaticRuntime: true) == [])
  }

  @Test("A process whose threads all wait for work is at rest")
  func rest() {
    let inspection = Samples.inspection(threads: [
      InspectedThread(
        thread: 100, name: "main", activity: ThreadActivity(.idle),
        frames: [Samples.frame("main", symbol: "main")]
      ),
      InspectedThread(
        thread: 101, name: "loop", activity: ThreadActivity(.events),
        frames: [Samples.frame("wait()", line: 3, .dependency)]),
    ])
    #expect(inspection.findings.map(\.cause) == [.rest])
  }

  @Test("A server's first task that waits for an answer to a request isn't at rest")
  func request() {
    func findings(_ symbol: String) -> [HangFinding.Cause] {
      Samples.inspection(
        tasks: [
          Samples.task(
            1, waitsFor: .continuation(1),
            frames: [
              Samples.frame("data(for:)", .system, symbol: symbol),
              Samples.frame("load()", line: 3),
              Samples.frame("main", symbol: "$s3App4mainyyYaFTQ0_"),
            ])
        ],
        threads: [
          InspectedThread(
            thread: 100, name: "main", activity: ThreadActivity(.idle),
            frames: [Samples.frame("main", symbol: "main")])
        ], hasListener: true
      ).findings.map(\.cause)
    }
    #expect(
      findings("$s20FoundationNetworking10URLSessionC4data3for8delegateTQ0_") == [
        .continuation(nil)
      ])
    #expect(findings("$ss23withCheckedContinuationTQ0_") == [.rest])
  }

  @Test("Threads of a pool that are blocked in one helper have the lines of its callers, too")
  func callersOfHelper() {
    let threads = [Int32(101), 102].map { number in
      InspectedThread(
        thread: number, name: "pool", activity: ThreadActivity(.semaphore),
        frames: [Samples.frame("block()", line: 1), Samples.frame("load\(number)()", line: 2)],
        task: Int(number) - 101)
    }
    let tasks =
      [Int32(101), 102].map { number in
        Samples.task(UInt64(number), status: Samples.running, thread: number)
      } + [Samples.task(200, status: Samples.enqueued)]
    #expect(
      places(Samples.inspection(tasks: tasks, threads: threads).findings.first)
        == ["block()", "load101()", "load102()"])
  }

  @Test("A blocked test has lines of tasks that may signal it, but not of other tests")
  func blockedTest() {
    let inspection = Samples.inspection(
      tasks: [
        Samples.task(3, name: testName, status: Samples.running, thread: 100),
        Samples.task(
          4, name: "[Swift Testing] test other() - running", waitsFor: .task(5 * 256),
          frames: [Samples.frame("other()", line: 2)]),
        Samples.task(5, waitsFor: .continuation(1), frames: [Samples.frame("load()", line: 3)]),
        Samples.task(6, waitsFor: .continuation(2), frames: [Samples.frame("signal()", line: 4)]),
      ],
      threads: [
        InspectedThread(
          thread: 100, name: "main", activity: ThreadActivity(.semaphore),
          frames: [Samples.frame("adds()", line: 1)], task: 0)
      ])
    #expect(places(inspection.findings.first) == ["adds()", "signal()"])
    #expect(places(inspection.findings.last) == ["load()", "other()"])
  }

  @Test("Each case of a test with arguments has a name of its own")
  func testNames() {
    let names = [
      "adds() - running": "adds()", "adds(_:) - running test case #3": "adds(_:) test case #3",
      "#1 test case #2 - running": "#1 test case #2", "adds(_:)": nil, " - running": nil,
      " - running test case #1": nil,
    ]
    for (name, expected) in names {
      #expect(InspectedTest.testName(ofTask: "[Swift Testing] test \(name)") == expected)
    }
    #expect(InspectedTest.testName(ofTask: "[Swift Testing] suite A - running") == nil)
  }

  @Test("Each waiting test has a finding of its own")
  func severalTests() {
    let inspection = Samples.inspection(
      tasks: (1...3).map { number in
        Samples.task(
          number, name: "[Swift Testing] test t\(number)() - running",
          waitsFor: .continuation(1), frames: [Samples.frame("load\(number)()")])
      })
    #expect(inspection.findings.compactMap(\.test?.name) == ["t1()", "t2()", "t3()"])
    #expect(inspection.findings.flatMap(places) == ["load1()", "load2()", "load3()"])
  }
}
