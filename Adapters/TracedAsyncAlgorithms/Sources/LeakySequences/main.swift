import AsyncAlgorithms
import ReactiveTrace

// Mistakes with asynchronous sequences, one for each name, as in the sample LeakyScreens.

/// A service that makes a stream for each caller.
@MainActor
final class Clock {
  private var continuations: [AsyncStream<Int>.Continuation] = []

  var times: AsyncStream<Int> {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuations.append(continuation)
    return stream
  }

  func send(_ time: Int) {
    for continuation in continuations { continuation.yield(time) }
  }
}

/// The parts of the app that live until it exits.
@MainActor
struct App {
  let clock = Clock()
  let alarms = Clock()
  var screens: [AnyObject] = []
  var tasks: [Task<Void, Never>] = []
}
var app = App()

/// The task captures `self`, which has the task.
@MainActor
final class SelfScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  init() {
    task = Task {
      for await time in app.clock.times.lane("self.clock") { self.time = time }
    }
  }
}

/// `self` is captured weakly, but the task has a strong reference while it waits.
@MainActor
final class GuardScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  init() {
    task = Task { [weak self] in
      guard let self else { return }
      for await time in app.clock.times.lane("guard.clock") { self.time = time }
    }
  }
}

/// The loop is in a method.
@MainActor
final class MethodScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  init() { task = Task { [weak self] in await self?.watch() } }
  private func watch() async {
    for await time in app.clock.times.lane("method.clock") { self.time = time }
  }
}

/// The task captures a closure that captures `self`.
@MainActor
final class NestedScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  init() {
    let show = { (time: Int) in self.time = time }
    task = Task {
      for await time in app.clock.times.lane("nested.clock") { show(time) }
    }
  }
}

/// The closure of an operator captures `self`.
@MainActor
final class OperatorScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  private let offset = 7
  init() {
    let times = app.clock.times.map { $0 + self.offset }
    task = Task { [weak self] in
      for await time in times.lane("operator.clock") { self?.time = time }
    }
  }
}

/// The task waits for a channel of the screen.
@MainActor
final class ChannelScreen {
  private var task: Task<Void, Never>?
  private let names = AsyncChannel<String>()
  private var name = ""
  init() {
    task = Task {
      for await name in names.lane("channel.names") { self.name = name }
    }
  }
}

/// Two sequences are merged, with `self` in the loop.
@MainActor
final class MergedScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  init() {
    let (times, alarms) = (app.clock.times, app.alarms.times)
    task = Task {
      for await time in merge(times, alarms).lane("merged.times") { self.time = time }
    }
  }
}

/// The task is in a list that lives until the app exits.
@MainActor
final class GlobalScreen {
  init() {
    app.tasks.append(
      Task {
        for await _ in app.clock.times.lane("global.clock") {}
      })
  }
}

/// Nothing has the task, so that nothing cancels it.
@MainActor
final class DiscardedScreen {
  init() {
    Task {
      for await _ in app.clock.times.lane("discarded.clock") {}
    }
  }
}

/// The screen was never removed from the app.
@MainActor
final class KeptScreen {
  private var task: Task<Void, Never>?
  private var time = 0
  init() {
    task = Task { [weak self] in
      for await time in app.clock.times.lane("kept.clock") { self?.time = time }
    }
    app.screens.append(self)
  }
  deinit { task?.cancel() }
}

/// A screen and its model have each other.
@MainActor
final class ModelScreen {
  @MainActor
  final class Model {
    var screen: ModelScreen?
    private var task: Task<Void, Never>?
    func start() {
      task = Task { [weak self] in
        for await time in app.clock.times.lane("model.clock") { self?.screen?.time = time }
      }
    }
    deinit { task?.cancel() }
  }
  private let model = Model()
  var time = 0
  init() {
    model.screen = self
    model.start()
  }
}

/// The screen asks for one page after the other. The closure that loads them captures `self`.
@MainActor
final class PagesScreen {
  private var pages: TracedAsyncSequence<AsyncMapSequence<AsyncStream<Int>, Int>>.Iterator?
  private let size = 20
  init() {
    pages = app.clock.times.map { $0 * self.size }.lane("pages.clock").makeAsyncIterator()
  }
}

let screens: [(String, @MainActor () -> AnyObject)] = [
  ("self", SelfScreen.init), ("guard", GuardScreen.init), ("method", MethodScreen.init),
  ("nested", NestedScreen.init), ("operator", OperatorScreen.init),
  ("channel", ChannelScreen.init), ("merged", MergedScreen.init), ("global", GlobalScreen.init),
  ("discarded", DiscardedScreen.init), ("kept", KeptScreen.init), ("model", ModelScreen.init),
  ("pages", PagesScreen.init),
]

let wanted = CommandLine.arguments.dropFirst()
/// The screens that are shown. Their tasks run on the main actor, too.
var shown = screens.filter { wanted.isEmpty || wanted.contains($0.0) }.map { $0.1() }
for time in 1...3 {
  await Task.yield()
  app.clock.send(time)
}
shown = []
for time in 4...6 {
  await Task.yield()
  app.clock.send(time)
}
