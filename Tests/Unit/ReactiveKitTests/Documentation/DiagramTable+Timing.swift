import ReactiveKit
import TestSupport

extension DiagramTable {
  static var timing: [String: Play] {
    [
      "debounce(for: 3)": { $0["source"].debounce(for: 3, scheduler: $0.time) },
      "throttle(for: 4)": { $0["source"].throttle(for: 4, scheduler: $0.time) },
      "throttle(for: 4, latest: false)": {
        $0["source"].throttle(for: 4, scheduler: $0.time, latest: false)
      },
      "sample(interval: 4)": { $0["source"].sample(interval: 4, scheduler: $0.time) },
      "delay(interval: 2)": { $0["source"].delay(interval: 2, scheduler: $0.time) },
      "dropFirst(for: 6)": { $0["source"].dropFirst(for: 6, scheduler: $0.time) },
      "timeout(after: 4, with: late)": {
        $0["source"].timeout(after: 4, with: TestError("late"), scheduler: $0.time)
      },
    ]
  }
}
