/// The words for something that holds itself while it waits, at the start of a path.
struct WaitingWords {
  let what: String
  let detail: String
  /// What ends the waiting.
  private let end: String

  init(_ object: Heap.Object, _ heap: Heap) {
    switch object.kind {
    case .dispatch(.queue):
      let label = heap.dispatch?.label(ofQueue: object.address) ?? ""
      if heap.dispatch?.isMainQueue(object.address) == true {
        what = "the main queue"
      } else if label.hasPrefix("com.apple.root.") {
        what = "a global queue"
      } else {
        what = label.isEmpty ? "a queue" : "queue \"\(label)\""
      }
      let isSuspended = heap.dispatch?.isSuspended(object.address) ?? false
      detail = isSuspended ? "is suspended, with a block in it" : "has a block that has not run"
      end = isSuspended ? "resume the queue" : "let the queue run the block"
    case .dispatch(.group):
      what = "DispatchGroup"
      detail = "waits until it is left as often as it was entered"
      end = "leave the group as often as it is entered"
    case .dispatch:
      what = "asyncAfter"
      detail = "has a block that has not run"
      end = "pass asyncAfter a DispatchWorkItem and cancel it when its owner is no longer needed"
    case .block:
      what = "a block"
      detail = "that probably waits in libdispatch"
      end = "cancel what waits when its owner is no longer needed"
    default:
      what = "Timer"
      detail = "that Foundation on Linux does not free, even if it is invalidated"
      end = "use a DispatchSourceTimer and cancel it"
    }
  }

  func advice(capturesSelf: Bool) -> String {
    let weak = capturesSelf ? "Capture self weakly: [weak self]" : "Capture the object weakly"
    return "\(weak), or \(end)."
  }
}
