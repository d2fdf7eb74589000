// Top-level code that awaits.
// verdict: clean

import ReactiveKit
import ReactiveTrace

actor Store {
  private(set) var sum = 0
  func add(_ number: Int) { sum += number }
}

let store = Store()
let numbers = SafeSignal(sequence: 1...10).lane("numbers")
for await number in numbers.toAsyncStream() {
  await store.add(number)
}
print(await store.sum)
