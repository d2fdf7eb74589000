import ReactiveKit

extension LeakCase {
  static let visitLog = held(
    "path-object-identifiers", lanes: ["visits.pages"], roots: ["VisitLog.shared"],
    also: ["VisitLog.bag", "VisitLog.pages"], alive: true,
    .now {
      let log = VisitLog()
      VisitLog.shared = log
      log.start()
      log.pages.send("home")
      return log
    })
}

/// A log of visitors by address. An address isn't a reference, in a set or in a closure.
@MainActor
final class VisitLog {
  static var shared: VisitLog?

  let pages = PassthroughSubject<String, Never>()
  private var visitors: Set<ObjectIdentifier> = []
  private var addresses: [Int] = []
  private let count = Property(0)
  private let bag = DisposeBag()

  func start() {
    let own = ObjectIdentifier(self)
    visitors = [own, ObjectIdentifier(bag)]
    addresses = [Int(bitPattern: own)]
    pages
      .traced("visits.pages")
      .observeNext { [count, visitors] _ in  // observed
        if visitors.contains(own) { count.value += 1 }
      }
      .dispose(in: bag)
  }
}
