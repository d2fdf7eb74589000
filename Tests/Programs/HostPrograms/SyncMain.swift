// A synchronous main function, with two observations that end with their owner.
// verdict: clean
// memcheck: yes

import ReactiveKit
import ReactiveTrace

final class Screen {
  let title = Property("home")
  private let bag = DisposeBag()

  init() {
    title.lane("title").observeNext { print("title", $0) }.dispose(in: bag)
    title.map(\.count).removeDuplicates().lane("length").observeNext { print("length", $0) }
      .dispose(in: bag)
  }
}

@main
struct SyncMain {
  static func main() {
    let screen = Screen()
    for title in ["settings", "profile", "back"] { screen.title.value = title }
  }
}
