import Foundation
import ReactiveKit

extension LeakCase {
  static let renderWorker = held(
    "thread-dictionary-worker", lanes: ["render.frames"], roots: ["threadDictionary"],
    path: ["RenderWorker.bag"], holder: ["RenderWorker.bag"], alive: true,
    .now {
      let isReady = DispatchSemaphore(value: 0)
      let thread = Thread {
        RenderWorker.attach()
        isReady.signal()
        waitForNothing()
      }
      thread.start()
      isReady.wait()
      return RenderWorker.last
    })
}

enum Renderer {
  static let frames = PassthroughSubject<Int, Never>()
}

/// Blocks the thread without a variable that leads to the worker.
@inline(never)
private func waitForNothing() { DispatchSemaphore(value: 0).wait() }

/// A worker on a thread that never ends.
final class RenderWorker {
  nonisolated(unsafe) static weak var last: RenderWorker?
  private var frames = 0
  private let bag = DisposeBag()

  @inline(never)
  static func attach() {
    let worker = RenderWorker()
    worker.begin()
    last = worker
    Thread.current.threadDictionary["render.worker"] = worker
  }

  private func begin() {
    Renderer.frames
      .traced("render.frames")
      .observeNext { [weak self] in self?.frames = $0 }  // observed
      .dispose(in: bag)
  }
}
