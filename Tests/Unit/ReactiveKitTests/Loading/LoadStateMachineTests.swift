import TestSupport
import Testing

@testable import ReactiveKit

@Suite("LoadStateMachine")
struct LoadStateMachineTests {
  private final class Owner {}

  private let owner = Owner()

  @Test("The first observer loads, and later observers of the same round wait")
  func first() {
    var loads = LoadStateMachine()
    #expect(loads.enter(owner, needsLoad: true) == .load(key: 0, isFirst: true))
    #expect(loads.enter(owner, needsLoad: true) == .wait(key: 0))
    #expect(loads.enter(owner, needsLoad: false) == .wait(key: 0))
    #expect(loads.end() === owner)
    #expect(loads.enter(owner, needsLoad: true) == .load(key: 1, isFirst: false))
  }

  @Test("An observer of a property with a value only waits if something is being loaded")
  func value() {
    var loads = LoadStateMachine()
    #expect(loads.enter(owner, needsLoad: false) == .observe)
    loads.begin()
    #expect(loads.enter(owner, needsLoad: false) == .wait(key: 0))
    #expect(loads.end() === owner)
    #expect(loads.enter(owner, needsLoad: false) == .observe)
  }

  @Test("An observer isn't the first to load after a reload")
  func reload() {
    var loads = LoadStateMachine()
    loads.begin()
    #expect(loads.end() == nil)
    #expect(loads.enter(owner, needsLoad: true) == .load(key: 1, isFirst: false))
  }

  @Test("The last observer that leaves releases the property, and the load continues")
  func leaving() {
    var loads = LoadStateMachine()
    _ = loads.enter(owner, needsLoad: true)
    _ = loads.enter(owner, needsLoad: true)
    #expect(loads.leave(0) == nil)
    #expect(loads.leave(0) === owner)
    #expect(loads.enter(owner, needsLoad: true) == .wait(key: 0))
    #expect(loads.end() === owner)
  }

  @Test("An observer that leaves after its round has ended doesn't affect a later round")
  func leavingLate() {
    var loads = LoadStateMachine()
    _ = loads.enter(owner, needsLoad: true)
    #expect(loads.end() === owner)
    _ = loads.enter(owner, needsLoad: true)
    #expect(loads.leave(0) == nil)
    #expect(loads.leave(1) === owner)
  }

  @Test("A round ends with the last of its loads")
  func severalLoads() {
    var loads = LoadStateMachine()
    loads.begin()
    loads.begin()
    #expect(loads.end() == nil)
    #expect(loads.enter(owner, needsLoad: true) == .wait(key: 0))
    loads.begin()
    #expect(loads.end() == nil)
    #expect(loads.end() === owner)
    #expect(loads.enter(owner, needsLoad: true) == .load(key: 1, isFirst: false))
  }

  @Test("Another load starts if the last load leaves observers without a value")
  func loadingAgain() {
    var loads = LoadStateMachine()
    loads.begin()
    #expect(loads.endWithoutValue(isObserved: true).isLoadAgain)
    #expect(!loads.endWithoutValue(isObserved: false).isLoadAgain)
    loads.begin()
    #expect(loads.enter(owner, needsLoad: true) == .wait(key: 1))
    #expect(loads.endWithoutValue(isObserved: false).isLoadAgain)
    loads.begin()
    #expect(!loads.endWithoutValue(isObserved: true).isLoadAgain)
    #expect(loads.endWithoutValue(isObserved: false).isLoadAgain)
    #expect(loads.end() === owner)
  }

  @Test("Random transitions match a simple count of observers and loads", arguments: 0..<20)
  func random(seed: UInt64) {
    var numbers = FixedNumbers(seed: seed)
    var loads = LoadStateMachine()
    var counts = Counts()
    for _ in 0..<500 {
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0:
        loads.begin()
        counts.loads += 1
        counts.hasLoaded = true
      case 1:
        let needsLoad = Bool.random(using: &numbers)
        #expect(loads.enter(owner, needsLoad: needsLoad) == counts.enter(needsLoad))
      case 2 where counts.observers > 0:
        counts.observers -= 1
        #expect((loads.leave(counts.round) === owner) == (counts.observers == 0))
      case 3 where counts.loads > 0:
        let isAwaited = counts.observers > 0
        #expect((loads.end() === owner) == (counts.loads == 1 && isAwaited))
        counts.end()
      case 4 where counts.loads > 0:
        let isObserved = Bool.random(using: &numbers)
        let loadsAgain = counts.loads == 1 && (isObserved || counts.observers > 0)
        #expect(loads.endWithoutValue(isObserved: isObserved).isLoadAgain == loadsAgain)
        if !loadsAgain { counts.end() }
      default: break
      }
    }
  }

  /// The same transitions, implemented with counters and flags.
  private struct Counts {
    var hasLoaded = false
    var loads = 0
    var observers = 0
    var round = 0

    mutating func enter(_ needsLoad: Bool) -> LoadStateMachine.EnterAction {
      if loads > 0 {
        observers += 1
        return .wait(key: round)
      }
      guard needsLoad else { return .observe }
      defer { hasLoaded = true }
      loads = 1
      observers = 1
      return .load(key: round, isFirst: !hasLoaded)
    }

    mutating func end() {
      loads -= 1
      guard loads == 0 else { return }
      round += 1
      observers = 0
    }
  }
}

extension LoadStateMachine.EndAction {
  fileprivate var isLoadAgain: Bool {
    if case .loadAgain = self { true } else { false }
  }
}
