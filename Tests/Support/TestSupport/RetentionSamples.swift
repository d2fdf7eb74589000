package import TraceFormat

/// Steps of retention paths of each kind.
package enum RetentionSamples {
  private typealias Step = Retention.Step

  package static let steps: [Retention.Step] = [
    Step(.subscription(SubscriptionID(12), lane: "search.results")),
    closure(
      .closure, Step.Capture(.object, type: "Screen", name: "self", isSelf: true),
      site: "App/Screen.swift:26", column: 9),
    closure(
      .methodReference, Step.Capture(.object, type: "Screen", isSelf: true),
      site: "App/Screen.swift:30"),
    closure(
      .nestedFunction, function: "update", Step.Capture(.object, type: "Screen", name: "screen"),
      site: "App/Screen.swift:31"),
    closure(.closure, function: "Screen.init", Step.Capture(.variable, type: "Row", name: "row")),
    closure(
      .closure, code: "App+0x4f20", Step.Capture(.value("State"), type: "Row", name: "state")),
    closure(
      .closure, Step.Capture(.variable, name: "poll", holdsClosure: true), site: "App/A.swift:3"),
    closure(.closure, Step.Capture(.collection, type: "Row"), site: "App/A.swift:4"),
    closure(.closure, Step.Capture(.unknown), site: "App/A.swift:5"),
    Step(.assignment(captures: "Label")),
    Step(.task(holds: "Loader", waitsForContinuation: true), site: "App/Loader.swift:7"),
    Step(.task(holds: nil, waitsForContinuation: false)),
    field("bag", .type("DisposeBag"), .bag),
    field("handler", .other(.closure), .closure),
    field(nil, .type("ObservationRegistrar"), .other),
    field("delegate", .type("Coordinator"), .optionalReference),
    field("rows", .type("[Row]"), .collection),
    field("token", .other(.disposable), .disposable),
    field("work", .other(.block), .optional),
    field("owner", .other(.unknown), .reference),
    field("router", .type("Router"), .owner),
    field("session", .type("URLSession"), .resource),
    Step(.field(Step.Field("Feed", "entries", .type("Entry"), .collection, library: "Feeds"))),
    Step(.variable(Step.Variable(.global, "cache"))),
    Step(.variable(Step.Variable(.staticMember, "Session.shared", library: "libApp.so"))),
    Step(.variable(Step.Variable(.library, "_defaultCenter", library: "Foundation"))),
    Step(.variable(Step.Variable(.library, "timers", library: "Foundation"))),
    Step(.variable(Step.Variable(.unknown))),
    Step(.localVariable), Step(.threadValue), Step(.runningThread), Step(.threadDictionary),
    closure(
      .closure, Step.Capture(.disposable, type: "DisposeBag", name: "bag"),
      site: "App/A.swift:6"),
    Step(.queue(Step.Queue(.main, isSuspended: false))),
    Step(.queue(Step.Queue(.global, isSuspended: false))),
    Step(.queue(Step.Queue(.labeled("app.work"), isSuspended: true))),
    Step(.queue(Step.Queue(.labeled(""), isSuspended: false))),
    Step(.group), Step(.delay), Step(.block), Step(.timer), Step(.omitted(7)),
    Step(.localVariable, strength: .possible), Step(.object("Screen")),
  ]

  private static func closure(
    _ form: Retention.Step.Closure.Form, function: String? = nil, code: String? = nil,
    _ capture: Retention.Step.Capture, site: String? = nil, column: Int? = nil
  ) -> Retention.Step {
    Step(
      .closure(Step.Closure(form, function: function, code: code, capture: capture)), site: site,
      column: column)
  }

  /// Returns a step of a property of the class `Screen`.
  package static func field(
    _ name: String?, _ content: Retention.Step.Field.Content,
    _ holding: Retention.Step.Field.Holding
  ) -> Retention.Step {
    Step(.field(Step.Field("Screen", name, content, holding)))
  }

  /// The cycle of a typical leak: a closure that captures `self`, a bag, and the subscription.
  package static let cycle = Retention(
    kind: .cycle,
    steps: [
      closure(
        .closure, Step.Capture(.object, type: "SearchScreen", name: "self", isSelf: true),
        site: "Sample/SearchScreen.swift:26", column: 11),
      Step(.field(Step.Field("SearchScreen", "bag", .type("DisposeBag"), .bag))),
      Step(.subscription(SubscriptionID(1), lane: "search.results")),
    ], breakIndex: 0, owner: .bag)
}
