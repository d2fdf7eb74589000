import Dispatch
import ReactiveKit

extension LeakCase {
  static let draftEditor = cycle(
    "dispatch-work-item", lanes: ["draft.text"],
    path: ["closure at DraftEditor", "DraftEditor.save", "DraftEditor.bag"], breaks: "closure",
    .now {
      let editor = DraftEditor()
      editor.open()
      return editor
    })
}

enum Drafts {
  static let text = PassthroughSubject<String, Never>()
}

/// An editor that stores a work item that saves it, and never drops the item.
final class DraftEditor {
  private var saved = ""
  private let bag = DisposeBag()
  private var save: DispatchWorkItem?

  func open() {
    Drafts.text
      .traced("draft.text")
      .observeNext { [weak self] in self?.saved = $0 }  // observed
      .dispose(in: bag)
    save = DispatchWorkItem { self.saved += "." }
  }
}
