// A main function that throws, so the log doesn't have an end record.
// verdict: incomplete

import ReactiveKit
import ReactiveTrace

struct Failure: Error {}

@main
struct ThrowingMain {
  static func main() async throws {
    let values = Property(0)
    let subscription = values.lane("values").observeNext { print($0) }
    values.value = 1
    defer { subscription.dispose() }
    await Task.yield()
    if values.value == 1 { throw Failure() }
  }
}
