// Actors that share a property, and a group of tasks that observe it.
// verdict: clean

import ReactiveKit
import ReactiveTrace

actor Account {
  private let balance = Property(0)
  private let bag = DisposeBag()
  private(set) var changes = 0

  init() {
    balance.lane("balance").observeNext { _ in }.dispose(in: bag)
  }

  func deposit(_ amount: Int) {
    balance.value += amount
    changes += 1
  }

  var total: Int { balance.value }
}

@main
struct Actors {
  static func main() async {
    let account = Account()
    await withTaskGroup(of: Void.self) { group in
      for amount in 1...100 { group.addTask { await account.deposit(amount) } }
    }
    print(await account.total, await account.changes)
  }
}
