import Foundation
import Synchronization

extension ObjectCase {
  /// Nobody has the reference that should be released.
  static var retainLeaks: [ObjectCase] {
    [
      .leak("unmanaged-pass-retained", .unreachable(["Photo": 1])) {
        _ = Unmanaged.passRetained(Photo())
      },
      .leak("unmanaged-retain", .unreachable(["Photo": 1])) {
        let photo = Photo()
        _ = Unmanaged.passUnretained(photo).retain()
      },
      .leak("unmanaged-retained-twice", .unreachable(["Photo": 1])) {
        let reference = Unmanaged.passRetained(Photo()).retain()
        reference.release()
      },
      .leak("unmanaged-taken-unretained", .unreachable(["Photo": 1])) {
        let context = Unmanaged.passRetained(Photo()).toOpaque()
        Unmanaged<Photo>.fromOpaque(context).takeUnretainedValue().views += 1
      },
      .leak("unmanaged-extended-lifetime", .unreachable(["Photo": 1])) {
        let photo = Photo()
        withExtendedLifetime(photo) { _ = Unmanaged.passRetained($0) }
      },
      .leak("unmanaged-overwritten", .unreachable(["Photo": 1]), alive: ["Photo": 1]) {
        for _ in 0..<2 { Photo.current = .passRetained(Photo()) }
        precondition(opaque(Photo.current) != nil)
      },
      // The object with the raw pointer is deallocated without releasing it.
      .leak("unmanaged-owner-deallocated", .unreachable(["Photo": 1])) {
        PhotoHolder().hold(Photo())
      },
      .leak("unmanaged-with-children", .unreachable(["Collage": 1, "Photo": 12])) {
        _ = Unmanaged.passRetained(Collage(photos: (0..<12).map { _ in Photo() }))
      },
      .leak("unmanaged-50-times", .unreachable(["Photo": 50], times: 50)) {
        for _ in 0..<50 { _ = Unmanaged.passRetained(Photo()) }
      },
      .leak("unmanaged-closure", .unreachable(["Photo": 1, "Callback": 1])) {
        let photo = Photo()
        _ = Unmanaged.passRetained(Callback { photo.views += 1 })
      },
      // References back that aren't strong aren't a cycle.
      .leak("unmanaged-with-weak-values", .unreachable(["Badge": 1])) {
        let badge = Badge()
        badge.list = [WeakBadge(badge: badge)]
        badge.value = WeakBadge(badge: badge)
        badge.values = [1: WeakBadge(badge: badge)]
        badge.unowned = [UnownedBadge(number: 1, badge: badge)]
        badge.actions = [
          { [weak badge] in badge?.number += 1 }, { [unowned badge] in badge.number += 1 },
          { [unowned(unsafe) badge] in badge.number += 1 },
        ]
        _ = Unmanaged.passRetained(badge)
      },
      .leak("atomic-exchanged", .unreachable(["Photo": 1]), alive: ["Photo": 1]) {
        for _ in 0..<2 {
          _ = Photo.shown.exchange(.passRetained(Photo()), ordering: .sequentiallyConsistent)
        }
        precondition(Photo.shown.load(ordering: .sequentiallyConsistent) != nil)
      },
      // The argument of the thread has a retain count that its function doesn't take.
      .leak("thread-argument", .unreachable(["Photo": 1])) {
        runThread(Unmanaged.passRetained(Photo()).toOpaque()) { context in
          Unmanaged<Photo>.fromOpaque(context).takeUnretainedValue().views += 1
        }
      },
      // The key doesn't have a destructor, and the thread ends.
      .leak("thread-specific-value", .unreachable(["Photo": 1])) {
        _ = Photo.key
        runThread(nil) { _ in
          pthread_setspecific(Photo.key, Unmanaged.passRetained(Photo()).toOpaque())
        }
      },
    ]
  }
}

private struct WeakBadge {
  weak var badge: Badge?
}

private struct UnownedBadge {
  let number: Int
  unowned let badge: Badge
}

private final class Badge {
  var number = 0
  var list: [WeakBadge] = []
  var unowned: [UnownedBadge] = []
  var value: Any?
  var values: [Int: WeakBadge] = [:]
  var actions: [() -> Void] = []

  init() { Life.begin(self, "Badge") }
  deinit { Life.end("Badge") }
}

private final class Photo {
  static var current: Unmanaged<Photo>?
  static let shown = Atomic<Unmanaged<Photo>?>(nil)
  static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  var views = 0

  init() { Life.begin(self, "Photo") }
  deinit { Life.end("Photo") }
}

private final class PhotoHolder {
  private var context: UnsafeMutableRawPointer?

  init() { Life.begin(self, "PhotoHolder") }
  deinit { Life.end("PhotoHolder") }

  func hold(_ photo: Photo) { context = Unmanaged.passRetained(photo).toOpaque() }
}

private final class Collage {
  private let photos: [Photo]

  init(photos: [Photo]) {
    self.photos = photos
    Life.begin(self, "Collage")
  }
  deinit { Life.end("Collage") }
}

private final class Callback {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
    Life.begin(self, "Callback")
  }
  deinit { Life.end("Callback") }
}

/// Runs a function on a thread, and waits until the thread ends.
private func runThread(
  _ context: UnsafeMutableRawPointer?, _ body: @escaping (UnsafeMutableRawPointer) -> Void
) {
  let start = ThreadStart(context: context ?? UnsafeMutableRawPointer(bitPattern: 8), body: body)
  #if os(Linux)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  pthread_create(
    &thread, nil,
    { argument in
      #if os(Linux)
        guard let argument else { return nil }
      #endif
      Stack.run {
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        if let context = start.context { start.body(context) }
      }
      // An old word hides an object that was retained by hand, because nothing explains its count.
      Stack.clear()
      return nil
    }, Unmanaged.passRetained(start).toOpaque())
  #if !os(Linux)
    guard let thread else { return }
  #endif
  pthread_join(thread, nil)
}

private final class ThreadStart {
  let context: UnsafeMutableRawPointer?
  let body: (UnsafeMutableRawPointer) -> Void

  init(context: UnsafeMutableRawPointer?, body: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.context = context
    self.body = body
  }
}
