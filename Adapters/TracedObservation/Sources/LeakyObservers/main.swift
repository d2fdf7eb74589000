import Observation
import ReactiveTrace
import TracedObservation

// Mistakes with observers, one for each name, as in the sample LeakyScreens.

@MainActor
@Observable
final class Cart {
  var count = 0
}

/// The parts of the app that live until it exits.
@MainActor
struct App {
  let cart = Cart()
  var screens: [AnyObject] = []
  var observers: [Trace.Observer] = []
}
var app = App()

/// The closure captures `self`, which has the observer.
@MainActor
final class SelfScreen {
  private var observer: Trace.Observer?
  private var count = 0
  init() {
    observer = Trace.observe("self.count") { self.count = app.cart.count }
  }
}

/// The closure captures `self` strongly inside a weak one.
@MainActor
final class NestedScreen {
  private var observer: Trace.Observer?
  private var count = 0
  init() {
    let show = { (count: Int) in self.count = count }
    observer = Trace.observe("nested.count") { show(app.cart.count) }
  }
}

/// A method is called by the closure.
@MainActor
final class MethodScreen {
  private var observer: Trace.Observer?
  private var count = 0
  init() { observer = Trace.observe("method.count") { self.show() } }
  private func show() { count = app.cart.count }
}

/// The observers are in a list of the screen.
@MainActor
final class ListScreen {
  private var observers: [Trace.Observer] = []
  private var count = 0
  init() {
    observers.append(Trace.observe("list.count") { self.count = app.cart.count })
  }
}

/// The screen observes its own model, which is in the closure.
@MainActor
final class ModelScreen {
  @MainActor
  @Observable
  final class Model {
    var names: [String] = []
    @ObservationIgnored var observer: Trace.Observer?
  }
  private let model = Model()
  init() {
    model.observer = Trace.observe("model.names") { [model] in model.names.count }
  }
}

/// The screen iterates over the values in a task of its own.
@MainActor
final class TaskScreen {
  private var task: Task<Void, Never>?
  private var count = 0
  init() {
    task = Task {
      for await count in Observations({ app.cart.count }).lane("task.count") { self.count = count }
    }
  }
}

/// The task has `self` weakly, but the observed values are computed with it.
@MainActor
final class ValuesScreen {
  private var task: Task<Void, Never>?
  private var total = 0
  private let price = 7
  init() {
    let totals = Observations { app.cart.count * self.price }
    task = Task { [weak self] in
      for await total in totals.lane("values.count") { self?.total = total }
    }
  }
}

/// `self` is captured weakly, but the task has a strong reference while it waits.
@MainActor
final class GuardScreen {
  private var task: Task<Void, Never>?
  private var count = 0
  init() {
    task = Task { [weak self] in
      guard let self else { return }
      for await count in Observations({ app.cart.count }).lane("guard.count") { self.count = count }
    }
  }
}

/// A screen and its coordinator have each other. The coordinator has the observer.
@MainActor
final class CoordinatorScreen {
  @MainActor
  final class Coordinator {
    var screen: CoordinatorScreen?
    private var observer: Trace.Observer?
    func start() {
      observer = Trace.observe("coordinator.count") { [weak self] in
        self?.screen?.count = app.cart.count
      }
    }
  }
  private let coordinator = Coordinator()
  var count = 0
  init() {
    coordinator.screen = self
    coordinator.start()
  }
}

/// The observer is in a list that lives until the app exits.
@MainActor
final class GlobalScreen {
  init() { app.observers.append(Trace.observe("global.count") { app.cart.count }) }
}

/// The screen was never removed from the app.
@MainActor
final class KeptScreen {
  private var observer: Trace.Observer?
  private var count = 0
  init() {
    observer = Trace.observe("kept.count") { [weak self] in self?.count = app.cart.count }
    app.screens.append(self)
  }
}

/// Nothing cancels the task.
@MainActor
final class DiscardedScreen {
  init() {
    Task {
      for await _ in Observations({ app.cart.count }).lane("discarded.count") {}
    }
  }
}

let screens: [(String, @MainActor () -> AnyObject)] = [
  ("self", SelfScreen.init), ("nested", NestedScreen.init), ("method", MethodScreen.init),
  ("list", ListScreen.init), ("model", ModelScreen.init), ("task", TaskScreen.init),
  ("values", ValuesScreen.init), ("guard", GuardScreen.init),
  ("coordinator", CoordinatorScreen.init), ("global", GlobalScreen.init),
  ("kept", KeptScreen.init), ("discarded", DiscardedScreen.init),
]

let wanted = CommandLine.arguments.dropFirst()
/// The screens that are shown. Their tasks run on the main actor, too.
var shown = screens.filter { wanted.isEmpty || wanted.contains($0.0) }.map { $0.1() }
for count in 1...3 {
  await Task.yield()
  app.cart.count = count
}
shown = []
for count in 4...6 {
  await Task.yield()
  app.cart.count = count
}
