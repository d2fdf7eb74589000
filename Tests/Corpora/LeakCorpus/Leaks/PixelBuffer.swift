import ReactiveKit

extension LeakCase {
  static let pixelBuffer = held(
    "path-raw-memory", lanes: ["pixels.changes"], roots: ["PixelScreen.main"],
    also: ["PixelBuffer.bag", "PixelBuffer.changes"], alive: true,
    .now {
      let buffer = PixelBuffer()
      PixelScreen.main = buffer
      buffer.start()
      buffer.changes.send(1)
      return buffer
    })
}

enum PixelScreen {
  @MainActor static var main: PixelBuffer?
}

/// A buffer whose memory contains its own address by coincidence.
final class PixelBuffer {
  let changes = PassthroughSubject<Int, Never>()
  private let pixels = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
  private var count = 0
  private let bag = DisposeBag()

  init() {
    pixels.initialize(
      repeating: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()), count: 64)
  }

  deinit { pixels.deallocate() }

  func start() {
    changes
      .traced("pixels.changes")
      .observeNext { [pixels, weak self] change in  // observed
        pixels[63] &+= UInt(change)
        self?.count += 1
      }
      .dispose(in: bag)
  }
}
