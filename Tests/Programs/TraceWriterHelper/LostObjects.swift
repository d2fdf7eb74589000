import LeakDetection
import SystemLibrary

/// Objects that leak, and similar ones that don't, for tests that search another process.
enum LostObjects {
  /// Makes the objects, and then waits to be killed, or returns if `ends` is true.
  static func make(ends: Bool) {
    depth(400)
    clearStack()
    Modes.report("started\n")
    while !ends { pause() }
  }

  /// Makes the objects, and prints what this process finds of them itself.
  static func detect() {
    depth(400)
    clearStack()
    do {
      for leak in try LeakDetector.leaks(limit: .seconds(60)) {
        Modes.report("\(leak.count) \(leak.isProbable) \(leak.source ?? "-")\n\(leak)\n")
      }
    } catch {
      Modes.report("\(error)\n")
    }
  }

  /// The frames of the functions that make the objects are far away from those that come later.
  @inline(never)
  private static func depth(_ left: Int) {
    guard left == 0 else { return depth(left - 1) }
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

  @inline(never)
  static func clearStack() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { bytes in
      _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
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
      depth(400) { for _ in 0..<count { LostScreen().open() } }
      clearStack()
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

  @inline(never)
  static func depth(_ left: Int, _ body: () -> Void) {
    guard left == 0 else { return depth(left - 1, body) }
    body()
  }
}
