import ReactiveKit
import ReactiveTrace

extension LeakCase {
  static let crashReporter = fine(
    "process-lifetime", lanes: ["reporter.events"], alive: true,
    .now {
      CrashReporter.shared.start()
      AppEvents.names.send("launch")
      return CrashReporter.shared
    })
}

enum AppEvents {
  static let names = PassthroughSubject<String, Never>()
}

/// A reporter that lives as long as the app, and declares this lifetime.
@MainActor
final class CrashReporter {
  static let shared = CrashReporter()

  private var events: [String] = []
  private let bag = DisposeBag()

  func start() {
    AppEvents.names
      .traced("reporter.events", lifetime: .process)
      .observeNext { self.events.append($0) }  // observed
      .dispose(in: bag)
  }
}
