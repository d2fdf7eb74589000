import ReactiveKit

extension LeakCase {
  static let uploadQueue = cycle(
    "flat-map-merge-inner", lanes: ["uploads.progress"], path: ["closure", "UploadQueue.bag"],
    breaks: "closure",
    .now {
      let queue = UploadQueue()
      Uploads.files.send("photo")
      Uploads.network.send(50)
      return queue
    })
}

enum Uploads {
  static let files = PassthroughSubject<String, Never>()
  static let network = PassthroughSubject<Int, Never>()
}

/// A queue that sends several files at the same time. Each upload writes its progress to it.
final class UploadQueue {
  private var progress: [String: Int] = [:]
  private var finished = 0
  private let bag = DisposeBag()

  init() {
    Uploads.files
      .flatMapMerge { [unowned self] file in upload(file) }
      .traced("uploads.progress")
      .observeNext { [weak self] percent in  // observed
        if percent == 100 { self?.finished += 1 }
      }
      .dispose(in: bag)
  }

  private func upload(_ file: String) -> Signal<Int, Never> {
    Uploads.network.map { percent in
      self.progress[file] = percent
      return percent
    }
  }
}
