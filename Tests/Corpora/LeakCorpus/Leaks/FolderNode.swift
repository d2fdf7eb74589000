import ReactiveKit

extension LeakCase {
  static let folderNode = cycle(
    "child-to-parent", lanes: ["folder.changes"],
    path: ["FolderNode.parent", "FolderNode.children"], also: ["FolderNode.bag"],
    breaks: "FolderNode.parent",
    .now {
      let root = FolderNode(name: "root", parent: nil)
      let child = FolderNode(name: "child", parent: root)
      root.children.append(child)
      child.watch()
      FileSystem.changes.send("child")
      return root
    })
}

enum FileSystem {
  static let changes = PassthroughSubject<String, Never>()
}

/// A folder that retains its children and also its parent.
final class FolderNode {
  let name: String
  let parent: FolderNode?
  var children: [FolderNode] = []
  private var changes = 0
  private let bag = DisposeBag()

  init(name: String, parent: FolderNode?) {
    self.name = name
    self.parent = parent
  }

  func watch() {
    FileSystem.changes
      .traced("folder.changes")
      .observeNext { [weak self] in if $0 == self?.name { self?.changes += 1 } }  // observed
      .dispose(in: bag)
  }
}
