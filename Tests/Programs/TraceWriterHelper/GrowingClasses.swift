import Dispatch
import ReactiveTrace
import TestThreads

/// Classes whose instances grow with each repetition of a scope, or don't.
enum GrowingClasses {
  private final class Toolbar {
    let title = "Toolbar"
  }

  private final class Editor {
    let toolbar = Toolbar()
    var onSave: () -> Void = {}
    let text: String

    init(_ text: String) { self.text = text }
  }

  private final class History {
    var visited: [Visit] = []
  }

  private final class Visit {
    let page: Int

    init(_ page: Int) { self.page = page }
  }

  private final class Icon {
    let name = "icon"
  }

  nonisolated(unsafe) private static let history = History()
  nonisolated(unsafe) private static var icons: [Icon] = []
  nonisolated(unsafe) private static var current: Editor?

  /// Repeats a step in one of several ways.
  static func `repeat`(_ way: String, count: Int) {
    guard way == "overlapping" else {
      for number in 0..<count {
        Trace.withScope("open editor") { step(way, number) }
      }
      return
    }
    let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    startThread {
      Trace.withScope("serve") {
        begun.signal()
        done.wait()
      }
    }
    begun.wait()
    `repeat`("variable", count: count)
    done.signal()
  }

  private static func step(_ way: String, _ number: Int) {
    switch way {
    case "cycle":
      let editor = Editor("\(number)")
      editor.onSave = { print(editor.text) }
    case "variable":
      history.visited.append(Visit(number))
    case "cache":
      // A cache that is full after the first repetition, and one value at a time.
      if icons.isEmpty { icons = (0..<100).map { _ in Icon() } }
      current = Editor("\(number)")
    case "pauses":
      if number != 3 { history.visited.append(Visit(number)) }
    default:
      fatalError("unknown way \(way)")
    }
  }

  /// Prints the classes that have more instances than before.
  static func compare() {
    let before = Trace.snapshot(instances: true)
    for number in 0..<5 { history.visited.append(Visit(number)) }
    icons = [Icon()]
    let after = Trace.snapshot(instances: true)
    for one in after.instances(since: before) where one.className.hasPrefix("TraceWriterHelper") {
      print(one.className, one.count)
    }
    print(Trace.snapshot().instances == nil ? "not counted" : "counted")
  }
}
