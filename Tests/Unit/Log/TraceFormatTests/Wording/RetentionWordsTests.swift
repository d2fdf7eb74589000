import TestSupport
import Testing

@testable import TraceFormat

@Suite("The text about retention paths")
struct RetentionWordsTests {
  private typealias Step = Retention.Step

  private func closure(
    _ capture: Retention.Step.Capture, _ form: Retention.Step.Closure.Form = .closure,
    function: String? = nil
  ) -> Retention.Step {
    Step(
      .closure(Step.Closure(form, function: function, capture: capture)), site: "App/A.swift:3")
  }

  private let itself = Retention.Step.Capture(.object, type: "A", name: "self", isSelf: true)

  private func remedy(
    _ steps: [Retention.Step], tail: Int = 0, breaking index: Int = 0
  ) -> Retention.Remedy? {
    RetentionWords.remedy(Retention(kind: .cycle, steps: steps, tail: tail, breakIndex: index))
  }

  @Test("Every kind of step has a name and its details")
  func steps() {
    let lines = RetentionSamples.steps.map { step in
      let detail = RetentionWords.detail(of: step)
      return RetentionWords.name(of: step) + (detail.isEmpty ? "" : " | " + detail)
    }
    #expect(
      lines == [
        "subscription of search.results | #12",
        "closure at Screen.swift:26 | captures self strongly",
        "method reference at Screen.swift:30 | captures self strongly",
        "closure at Screen.swift:31 | captures screen (Screen) strongly",
        "closure in Screen.init | captures the variable row, which holds Row",
        "a closure in App+0x4f20 | captures state (State), which holds Row",
        "closure at A.swift:3 | captures the variable poll, which holds this closure",
        "closure at A.swift:4 | captures a collection, which holds Row",
        "closure at A.swift:5 | captures the next step",
        "assign(to:on:) | holds Label strongly",
        "Task at Loader.swift:7 | holds Loader, and waits for a continuation",
        "Task | has not ended",
        "Screen.bag | DisposeBag",
        "Screen.handler | closure",
        "Screen | ObservationRegistrar",
        "Screen.delegate | Coordinator",
        "Screen.rows | [Row]",
        "Screen.token | Disposable",
        "Screen.work | block",
        "Screen.owner",
        "Screen.router | Router",
        "Screen.session | URLSession",
        "Feed.entries | Entry",
        "global cache",
        "static Session.shared | of libApp.so",
        "NotificationCenter.default",
        "a variable of Foundation | timers",
        "a global or static variable",
        "a local variable | of a function that has not returned",
        "a value of a thread | that has not ended",
        "a Thread | whose block has not returned",
        "Thread.threadDictionary | of a thread that has not ended",
        "closure at A.swift:6 | captures bag (DisposeBag) strongly",
        "the main queue | has a block that has not run",
        "a global queue | has a block that has not run",
        "queue \"app.work\" | is suspended, with a block in it",
        "a queue | has a block that has not run",
        "DispatchGroup | waits until it is left as often as it was entered",
        "asyncAfter | has a block that has not run",
        "a block | that probably waits in libdispatch",
        "Timer | that Foundation on Linux does not free, even if it is invalidated",
        "7 more steps",
        "a local variable | of a function that has not returned",
        "Screen | the object",
      ])
  }

  @Test("The remedy for a cycle depends on the step to break")
  func remedies() {
    let subscription = Step(.subscription(SubscriptionID(1), lane: "a"))
    let field = RetentionSamples.field
    let expected: [(Retention.Step, String, brief: String, isBrief: Bool)] = [
      (closure(itself), "Capture self weakly: [weak self].", "[weak self]", true),
      (
        closure(Step.Capture(.object, type: "A", name: "row")), "Capture row weakly: [weak row].",
        "[weak row]", true
      ),
      (closure(Step.Capture(.object, type: "A")), "Capture A weakly.", "Capture A weakly", true),
      (
        closure(itself, .methodReference),
        "Pass a closure with [weak self] instead of the method itself.", "[weak self]", false
      ),
      (
        closure(itself, .nestedFunction, function: "update"),
        "Use a closure with [weak self] instead of the nested function update.", "[weak self]",
        false
      ),
      (
        closure(Step.Capture(.variable, name: "poll", holdsClosure: true)),
        "Set poll to nil when the closure is no longer needed.",
        "Set poll to nil when the closure is no longer needed", true
      ),
      (
        Step(.task(holds: "A", waitsForContinuation: true)),
        "Resume the continuation that the Task waits for.",
        "Resume the continuation that the Task waits for", true
      ),
      (
        Step(.task(holds: "A", waitsForContinuation: false)),
        "Cancel the Task when its owner is no longer needed, or let it hold its owner only while "
          + "it uses it: [weak self], and guard let self inside the loop.", "[weak self]", false
      ),
      (
        field("delegate", .type("A"), .optionalReference), "Make Screen.delegate weak.",
        "Make Screen.delegate weak", true
      ),
      (
        field("bag", .type("DisposeBag"), .bag),
        "Dispose Screen.bag when Screen is no longer needed.",
        "Dispose Screen.bag when Screen is no longer needed", true
      ),
      (
        field("rows", .type("[A]"), .collection),
        "Remove the object from Screen.rows when it is no longer needed.",
        "Remove the object from Screen.rows when it is no longer needed", true
      ),
    ]
    for (step, text, brief, isBrief) in expected {
      let found = remedy([step, subscription])
      #expect(found?.text == text)
      #expect(found?.brief == brief)
      #expect(found?.isBrief == isBrief)
    }
  }

  @Test("The remedy says what to dispose after the cycle is broken, unless that happens by itself")
  func afterward() {
    func text(_ holding: Retention.Step.Field.Holding) -> String? {
      let field = Step(.field(Step.Field("A", "request", .other(.disposable), holding)))
      return remedy([closure(itself), field])?.text
    }
    #expect(text(.bag) == "Capture self weakly: [weak self].")
    #expect(
      text(.disposable) == "Capture self weakly: [weak self]. Then dispose A.request in deinit.")
  }

  @Test("The remedy never makes a reference to a disposable weak")
  func disposables() {
    func field(
      _ owner: String, _ name: String, _ holding: Retention.Step.Field.Holding
    ) -> Retention.Step {
      Step(.field(Step.Field(owner, name, .other(.disposable), holding)))
    }
    let cycle = [
      field("Lease", "holder", .reference), field("Holder", "lease", .disposable),
    ]
    #expect(
      remedy(cycle + [field("Lease", "subscription", .disposable)], tail: 1)?.text == """
        Make Lease.holder an optional weak reference, or end the object that it refers to. \
        Then dispose Lease.subscription in deinit.
        """)
    #expect(
      remedy([cycle[1]])?.text == "Dispose Holder.lease when Holder is no longer needed.")
  }

  @Test("The remedy doesn't make a reference weak that can be the only owner of its object")
  func onlyOwners() {
    func field(
      _ name: String, _ holding: Retention.Step.Field.Holding, _ type: String = "B"
    ) -> Retention.Step {
      Step(.field(Step.Field("A", name, .type(type), holding)))
    }
    func text(_ steps: [Retention.Step]) -> String? {
      RetentionWords.remedy(Retention(kind: .cycle, steps: steps, breakIndex: 0))?.text
    }
    let other = field("other", .reference)
    #expect(
      text([field("engine", .optionalReference), other])
        == "Set A.engine to nil when it is no longer needed.")
    #expect(text([other, field("engine", .optionalReference)]) == nil)
    #expect(text([field("root", .owner), other]) == nil)
    #expect(
      text([other, field("root", .owner)])
        == "Make A.other an optional weak reference, or end the object that it refers to.")
    #expect(
      text([field("session", .resource, "URLSession")])
        == "Invalidate A.session when A is no longer needed.")
    #expect(text([field("storage", .resource, "Box")]) == nil)
  }

  @Test("The remedy for a cycle in a dependency names what of the program hangs on it")
  func dependencies() {
    let steps = ["entries", "feed"].map {
      Step(.field(Step.Field("NIO.Channel", $0, .type("A"), .reference, library: "NIOCore")))
    }
    #expect(
      RetentionWords.remedy(Retention(kind: .cycle, steps: steps))?.text
        == "The cycle is in the dependency NIOCore. Close the NIO.Channel when it is no longer "
        + "needed.")
    let user = Step(
      .closure(Step.Closure(.closure, capture: Step.Capture(.unknown))), site: "App/A.swift:7")
    #expect(
      RetentionWords.remedy(Retention(kind: .cycle, steps: steps + [user], tail: 1))?.text
        == "The cycle is in the dependency NIOCore. Close the NIO.Channel of closure at A.swift:7 "
        + "when it is no longer needed.")
  }

  @Test("The remedy for a path depends on its root")
  func roots() {
    func text(_ root: Retention.Step, capturesSelf: Bool = false) -> String? {
      let middle = capturesSelf ? [closure(itself)] : []
      return RetentionWords.remedy(Retention(kind: .path, steps: [root] + middle))?.text
    }
    let global = Step(.variable(Step.Variable(.global, "cache")))
    #expect(
      text(global) == "Dispose the subscription, or remove what holds it from global cache.")
    #expect(
      text(global, capturesSelf: true)
        == "Capture self weakly: [weak self], or remove the closure from global cache.")
    let center = Step(.variable(Step.Variable(.library, "_defaultCenter", library: "Foundation")))
    #expect(
      text(center, capturesSelf: true)
        == "Capture self weakly: [weak self], and remove the observer when its owner is no longer "
        + "needed.")
    #expect(
      text(Step(.queue(Step.Queue(.labeled("a"), isSuspended: true))))
        == "Capture the object weakly, or resume the queue.")
    #expect(text(RetentionSamples.field("a", .other(.unknown), .other)) == nil)
    #expect(
      text(Step(.runningThread), capturesSelf: true)
        == "Capture self weakly: [weak self], and guard let self inside the loop, or end the block "
        + "of the thread when its owner is no longer needed.")
    let bag = closure(Step.Capture(.disposable, type: "DisposeBag", name: "bag"))
    #expect(
      RetentionWords.remedy(Retention(kind: .path, steps: [Step(.delay), bag, global]))?.text
        == "Dispose the subscription earlier, or pass asyncAfter a DispatchWorkItem and cancel it "
        + "when its owner is no longer needed.")
    let owned = Retention(
      kind: .path, steps: [RetentionSamples.field("bag", .type("DisposeBag"), .bag), bag],
      owner: .bag)
    #expect(
      RetentionWords.remedy(owned)?.text
        == "Find out what else retains Screen. When it is deallocated, it disposes the "
        + "subscription."
    )
    var discarded = Retention(kind: .path, steps: [global])
    discarded.owner = .nobody
    #expect(
      RetentionWords.remedy(discarded)?.text
        == "Keep the disposable, as in .dispose(in: bag), or declare lifetime: .process.")
  }

  @Test("The owner of the disposable is named with its field, or else with the root")
  func holders() {
    let field = RetentionSamples.field("bag", .type("DisposeBag"), .bag)
    let global = Step(.variable(Step.Variable(.global, "cache")))
    func holder(_ owner: Retention.Owner?, _ steps: [Retention.Step]) -> String? {
      RetentionWords.holder(Retention(kind: .path, steps: steps, owner: owner))
    }
    #expect(
      holder(.bag, [global, field]) == "It is in a bag, Screen.bag, and Screen is still alive.")
    #expect(
      holder(.cancellable, [global, global]) == "It is in an AnyCancellable, held by global cache.")
    #expect(holder(.serial, [global]) == nil)
    #expect(holder(.task, []) == "Its Task has not ended.")
    #expect(holder(.nobody, []) == "Nobody can dispose it: the disposable was discarded.")
    #expect(holder(nil, [global, field]) == nil)
  }

  @Test("The text of a cycle has a line for each step, and the remedy at the one to break")
  func cycleText() {
    #expect(
      RetentionWords.text(RetentionSamples.cycle) == """
        kept alive by a cycle:
          closure at SearchScreen.swift:26   captures self strongly      \
        <- break it here: [weak self]
          SearchScreen.bag                   DisposeBag
          subscription of search.results     #1
        It is in a bag, SearchScreen.bag, and SearchScreen is still alive.
        """)
  }

  @Test("The text of a cycle that doesn't contain the subscription shows where the cycle ends")
  func tail() {
    func field(_ name: String, _ holding: Retention.Step.Field.Holding) -> Retention.Step {
      Step(.field(Step.Field("Node", name, .other(.unknown), holding)))
    }
    let retention = Retention(
      kind: .cycle, isProbable: true,
      steps: [
        field("parent", .optionalReference), field("child", .reference), field("bag", .bag),
        Step(.subscription(nil, lane: "a")),
      ],
      tail: 2, breakIndex: 0, limit: .time)
    #expect(
      RetentionWords.text(retention) == """
        probably kept alive by a cycle:
          Node.parent      <- break it here: Make Node.parent weak
          Node.child
          and from the cycle to the subscription:
          Node.bag
          subscription of a
        The time or the stack space was too short to look for what holds it.
        """)
  }

  @Test("Without a path, the text says what was searched, or that nothing was found")
  func nothing() {
    func text(_ limit: Retention.Limit?, owner: Retention.Owner? = nil) -> String {
      RetentionWords.text(Retention(kind: .none, owner: owner, limit: limit))
    }
    #expect(text(nil) == "nothing was found that holds it")
    #expect(
      text(.searched(bytes: 3_000_000))
        == "No holder was found among 3 MB of memory, which doesn't prove that there isn't one.")
    #expect(text(nil, owner: .nobody) == "Nobody can dispose it: the disposable was discarded.")
    for limit in [Retention.Limit.memory, .platform, .trait, .notAnObservation, .time] {
      #expect(text(limit).hasSuffix("."))
    }
  }
}
