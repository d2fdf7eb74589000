import ReactiveKit

extension LeakCase {
  static let emptiedSet = fine(
    "set-emptied", lanes: ["set.names", "set.ages"],
    .now {
      let form = EmptiedSet()
      form.open()
      FormSource.names.send("Ada")
      form.close()
      return form
    })
}

enum FormSource {
  static let names = PassthroughSubject<String, Never>()
  static let ages = Property(36)
}

/// A form that empties the set of its subscriptions when it closes.
final class EmptiedSet {
  private var name = ""
  private var age = 0
  private var subscriptions: Set<AnyCancellable> = []

  func open() {
    FormSource.names.traced("set.names")
      .sink { self.name = $0 }  // observed
      .store(in: &subscriptions)
    FormSource.ages.traced("set.ages")
      .sink { self.age = $0 }  // observed
      .store(in: &subscriptions)
  }

  func close() { subscriptions.removeAll() }
}
