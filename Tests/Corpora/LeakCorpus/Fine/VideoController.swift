import ReactiveKit

extension LeakCase {
  static let videoController = fine(
    "delegate-weak", lanes: ["video.volume"],
    .now {
      let controller = VideoController()
      controller.start()
      RemoteControl.volume.send(7)
      return controller
    })
}

enum RemoteControl {
  static let volume = PassthroughSubject<Int, Never>()
}

protocol VideoDelegate: AnyObject {
  func videoDidEnd()
}

final class VideoView {
  weak var delegate: (any VideoDelegate)?
  var volume = 0
}

/// A controller that is the weak delegate of its own view.
final class VideoController: VideoDelegate {
  private let view = VideoView()
  private var ends = 0
  private let bag = DisposeBag()

  func start() {
    view.delegate = self
    RemoteControl.volume
      .traced("video.volume")
      .observeNext { [view] in view.volume = $0 }  // observed
      .dispose(in: bag)
  }

  func videoDidEnd() { ends += 1 }
}
