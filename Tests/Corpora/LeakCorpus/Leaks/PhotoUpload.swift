import Foundation
import ReactiveKit

extension LeakCase {
  static let photoUpload = held(
    "operation-queue-suspended", lanes: ["photo.progress"], roots: ["PhotoCloud.uploads"],
    path: ["closure at PhotoUpload", "PhotoUpload.bag"], holder: ["PhotoUpload.bag"],
    alive: true,
    .now {
      let upload = PhotoUpload()
      upload.start()
      return upload
    })
}

enum PhotoCloud {
  static let progress = PassthroughSubject<Int, Never>()
  static let uploads = {
    let queue = OperationQueue()
    queue.isSuspended = true
    return queue
  }()
}

/// An upload in a queue that is never resumed, between two other operations.
final class PhotoUpload: @unchecked Sendable {
  private var progress = 0
  private let bag = DisposeBag()

  func start() {
    PhotoCloud.progress
      .traced("photo.progress")
      .observeNext { [weak self] in self?.progress = $0 }  // observed
      .dispose(in: bag)
    PhotoCloud.uploads.addOperation { print("before") }
    PhotoCloud.uploads.addOperation { self.send() }
    PhotoCloud.uploads.addOperation { print("after") }
  }

  private func send() { progress = 100 }
}
