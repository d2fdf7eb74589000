import OpenCombine
import TracedOpenCombine

// Mistakes with publishers, one for each name, as in the sample LeakyScreens.

/// The parts of the app that live until it exits.
struct App {
  let clock = CurrentValueSubject<Int, Never>(0)
  let taps = PassthroughSubject<String, Never>()
  var screens: [AnyObject] = []
  let session = Session()
}

final class Session {
  var cancellables: Set<AnyCancellable> = []
}

nonisolated(unsafe) var app = App()

/// `self` is captured strongly by the closure of `sink`.
final class SelfScreen {
  private var cancellables: Set<AnyCancellable> = []
  private var time = 0
  init() {
    app.clock.lane("self.clock").sink { self.time = $0 }.store(in: &cancellables)
  }
}

/// The same with one property instead of a set.
final class PropertyScreen {
  private var cancellable: AnyCancellable?
  private var time = 0
  init() { cancellable = app.clock.lane("property.clock").sink { self.time = $0 } }
}

/// `assign(to:on:)` retains its object.
final class AssignScreen {
  private var cancellables: Set<AnyCancellable> = []
  var time = 0
  init() { app.clock.lane("assign.clock").assign(to: \.time, on: self).store(in: &cancellables) }
}

/// The closure of an operator captures `self`.
final class OperatorScreen {
  private var cancellables: Set<AnyCancellable> = []
  private let offset = 7
  init() {
    app.clock.map { $0 + self.offset }.lane("operator.clock").sink { _ in }
      .store(in: &cancellables)
  }
}

/// A method is used as a closure.
final class MethodScreen {
  private var cancellables: Set<AnyCancellable> = []
  init() { app.clock.lane("method.clock").sink(receiveValue: show).store(in: &cancellables) }
  private func show(_ time: Int) {}
}

/// The cancellables are in an object that lives until the app exits.
final class GlobalScreen {
  init() { app.clock.lane("global.clock").sink { _ in }.store(in: &app.session.cancellables) }
}

/// The screen was never removed from the app.
final class KeptScreen {
  private var cancellables: Set<AnyCancellable> = []
  private var time = 0
  init() {
    app.clock.lane("kept.clock").sink { [weak self] in self?.time = $0 }.store(in: &cancellables)
    app.screens.append(self)
  }
}

/// A subscriber that nothing can cancel is observed by a subject that lives until the app exits.
final class SubscriberScreen {
  init() {
    app.taps.lane("subscriber.taps").subscribe(
      Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
  }
}

/// A screen and its model have each other.
final class ModelScreen {
  final class Model {
    var screen: ModelScreen?
    let names = PassthroughSubject<String, Never>()
  }
  private let model = Model()
  private var cancellables: Set<AnyCancellable> = []
  init() {
    model.screen = self
    model.names.lane("model.names").sink { _ in }.store(in: &cancellables)
  }
}

/// The closure captures a closure that captures `self`.
final class NestedScreen {
  private var cancellables: Set<AnyCancellable> = []
  private var time = 0
  init() {
    let show = { (time: Int) in self.time = time }
    app.clock.lane("nested.clock").sink { show($0 + 1) }.store(in: &cancellables)
  }
}

/// The closure that handles completions captures `self`.
final class CompletionScreen {
  private var cancellables: Set<AnyCancellable> = []
  private var isOver = false
  init() {
    app.clock.lane("completion.clock").sink(
      receiveCompletion: { _ in self.isOver = true }, receiveValue: { _ in }
    ).store(in: &cancellables)
  }
}

/// The inner publisher of `flatMap` captures `self`.
final class InnerScreen {
  private var cancellables: Set<AnyCancellable> = []
  private let names = PassthroughSubject<String, Never>()
  init() {
    app.clock.flatMap { _ in self.names }.lane("inner.names").sink { _ in }
      .store(in: &cancellables)
  }
}

let screens: [(String, () -> AnyObject)] = [
  ("self", SelfScreen.init), ("property", PropertyScreen.init), ("assign", AssignScreen.init),
  ("operator", OperatorScreen.init), ("method", MethodScreen.init),
  ("global", GlobalScreen.init), ("kept", KeptScreen.init),
  ("subscriber", SubscriberScreen.init), ("model", ModelScreen.init),
  ("nested", NestedScreen.init), ("completion", CompletionScreen.init),
  ("inner", InnerScreen.init),
]

let wanted = CommandLine.arguments.dropFirst()
for (name, open) in screens where wanted.isEmpty || wanted.contains(name) { _ = open() }
app.clock.send(1)
