import ReactiveKit

extension LeakCase {
  static let outlineNode = fine(
    "child-to-parent-weak", lanes: ["outline.changes"],
    .now {
      let root = OutlineNode(parent: nil)
      let child = OutlineNode(parent: root)
      root.children.append(child)
      child.watch()
      Outline.changes.send("child")
      return root
    })
}

enum Outline {
  static let changes = PassthroughSubject<String, Never>()
}

/// A node that retains its children, and its parent weakly.
final class OutlineNode {
  weak var parent: OutlineNode?
  var children: [OutlineNode] = []
  private var changes = 0
  private let bag = DisposeBag()

  init(parent: OutlineNode?) { self.parent = parent }

  func watch() {
    Outline.changes
      .traced("outline.changes")
      .observeNext { [weak self] _ in  // observed
        self?.changes += 1
        self?.parent?.changes += 1
      }
      .dispose(in: bag)
  }
}
