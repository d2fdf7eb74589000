import TerminalUI
import TraceAnalysis
import TraceFormat

/// The parent of each span: the span of the subscription's parent, or of the nearest exported
/// ancestor.
///
/// Spans must form a tree, but a damaged log may contain a cycle of subscriptions that were made
/// for each other. In that case, one of them has no parent.
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
      // Walks up to a node that is done, or to the top.
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
      // Walks back down, so that the parent of each node is done before the node.
      for index in path.reversed() {
        if let parent = self[index], !selection.contains(parent) {
          parents[index] = parents[parent]
        }
        marks[index] = .done
      }
    }
  }
}
