import TerminalUI
import TraceAnalysis
import TraceFormat

/// The parent of each span: that of its subscription, or the nearest above it that is exported.
///
/// Spans are a tree, and a damaged log may say that subscriptions were made for each other in a circle: one of them has no
/// parent then.
struct SpanParents {
  private var parents: [Int32]

  private enum Mark: UInt8 {
    case unseen, onPath, done
  }

  subscript(index: Int) -> Int? {
    parents[index] < 0 ? nil : Int(parents[index])
  }

  init(_ selection: ExportSelection) {
    let log = selection.log
    parents = log.lifecycles.map { log.parent(of: $0).map { Int32(clamping: $0) } ?? -1 }
    var marks = [Mark](repeating: .unseen, count: parents.count)
    for start in parents.indices where marks[start] == .unseen {
      // Up to what is known, or to the top.
      var path: [Int] = []
      var current = start
      while true {
        marks[current] = .onPath
        path.append(current)
        guard let parent = self[current], marks[parent] != .done else { break }
        if marks[parent] == .onPath {
          parents[current] = -1
          break
        }
        current = parent
      }
      // From there down, so that each finds its parent's parent settled.
      for index in path.reversed() {
        if let parent = self[index], !selection.contains(parent) {
          parents[index] = parents[parent]
        }
        marks[index] = .done
      }
    }
  }
}
