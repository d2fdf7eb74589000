import LeakDetection
import SystemLibrary
import TestThreads

/// Objects that leak, and similar ones that don't, for tests that search another process.
///
/// They are made on threads that have ended. Otherwise, the frames of later functions would have
/// old words, which hide some of the objects in a few percent of the runs.
enum LostObjects {
  /// Makes the objects, and then waits to be killed, or returns if `ends` is true.
  static func make(ends: Bool) {
    runOnEndedThread(makeObjects)
    Modes.report("started\n")
    while !ends { pause() }
  }

  /// Makes the objects, and prints what this process finds of them itself.
  static func detect() {
    runOnEndedThread(makeObjects)
    do {
      for leak in try LeakDetector.leaks(limit: .seconds(60)) {
        Modes.report("\(leak.count) \(leak.isProbable) \(leak.source ?? "-")\n\(leak)\n")
      }
    } catch {
      Modes.report("\(error)\n")
    }
  }

  private static func makeObjects() {
    for _ in 0..<3 { LostScreen().open() }
    _ = Unmanaged.passRetained(LostItem("retained"))
    registry.append(LostScreen())
    registry.last?.open()
    let observed = LostScreen()
    observed.presenter = LostPresenter(observed)
    registry.append(observed)
  }

  /// Objects that are in use, although some of them are on cycles.
  private nonisolated(unsafe) static var registry: [LostScreen] = []
}

/// A screen that is on a cycle once it is open.
private final class LostScreen {
  private var onClose: (() -> Void)?
  private let title = LostItem("title")
  var presenter: LostPresenter?

  func open() {
    onClose = { self.presenter = nil }
  }
}

private final class LostPresenter {
  private unowned let screen: LostScreen

  init(_ screen: LostScreen) { self.screen = screen }
}

private final class LostItem {
  private let name: String

  init(_ name: String) { self.name = name }
}

extension LostObjects {
  /// Makes the objects, starts a missing program `count` times, and forks a child that ends
  /// normally without executing a program.
  static func copy(times count: Int) {
    make(ends: true)
    var failures = 0
    for _ in 0..<count {
      var child: pid_t = 0
      var arguments = [strdup("missing"), nil]
      if posix_spawn(&child, "/missing/program", nil, nil, &arguments, nil) == ENOENT {
        failures += 1
      }
      free(arguments[0])
    }
    let child = HostileSituations.fork()
    if child == 0 { exit(0) }
    Modes.report("failed: \(failures), ended: \(HostileSituations.ends(child))\n")
  }

  /// Makes objects that leave a stream in use, and then waits to be killed. Their addresses remain
  /// in the memory of its buffer.
  static func stream() {
    runOnEndedThread {
      for _ in 0..<3 {
        let screen = LostScreen()
        screen.open()
        screens.continuation.yield(screen)
      }
    }
    Task.detached {
      var iterator = screens.stream.makeAsyncIterator()
      for _ in 0..<3 { _ = await iterator.next() }
      Modes.report("started\n")
    }
    while true { pause() }
  }

  private nonisolated(unsafe) static let screens = AsyncStream.makeStream(of: LostScreen.self)

  /// Watches intervals in which cycles are made, and prints the cycles of each interval.
  static func watch() {
    func end(_ interval: CycleWatch.Interval, _ name: String) {
      do {
        let cycles = try CycleWatch.ofThisProcess.end(interval)
        Modes.report("\(name): \(cycles.map { "\($0.count) \($0.className)" })\n")
      } catch {
        Modes.report("\(error)\n")
      }
    }
    func begin() -> CycleWatch.Interval {
      do { return try CycleWatch.ofThisProcess.begin() } catch { fatalError("\(error)") }
    }
    func make(_ count: Int) {
      runOnEndedThread { for _ in 0..<count { LostScreen().open() } }
    }
    make(1)
    let first = begin()
    end(first, "nothing")
    let second = begin()
    make(2)
    end(second, "two")
    let outer = begin()
    make(3)
    let inner = begin()
    make(1)
    end(inner, "inner")
    end(outer, "outer")
    let canceled = begin()
    make(1)
    CycleWatch.ofThisProcess.cancel(canceled)
    end(begin(), "after a canceled interval")
  }
}

extension LostObjects {
  /// Makes an object whose address remains only right below the stack of the thread that ends the
  /// process.
  static func leaveBelowStack() -> Never {
    leave()
    _exit(0)
  }

  @inline(never)
  private static func leave() {
    let address = UInt(bitPattern: Unmanaged.passRetained(LostItem("left")).toOpaque())
    let words = InlineArray<64, UInt>(repeating: address)
    precondition(words[0] == words[63])
  }
}
