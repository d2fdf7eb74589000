import ReactiveKit
import TestSupport

extension DiagramTable {
  static var combining: [String: Play] {
    [
      "merge(with: other)": { $0["source"].merge(with: $0["other"]) },
      "amb(with: other)": { $0["source"].amb(with: $0["other"]) },
      "combineLatest(with: other, combine: +)": {
        $0["source"].ints.combineLatest(with: $0["other"].ints, combine: +)
      },
      "Signal(combiningLatest: [a, b], combine: sum)": {
        Signal(combiningLatest: [$0["a"].ints, $0["b"].ints], combine: { $0.reduce(0, +) })
      },
      "zip(with: other, combine: +)": {
        $0["source"].ints.zip(with: $0["other"].ints, combine: +)
      },
      "with(latestFrom: other, combine: +)": {
        $0["source"].ints.with(latestFrom: $0["other"].ints, combine: +)
      },
      "replayLatest(when: other)": { $0["source"].replayLatest(when: $0.safe("other")) },
      "prepend(0)": { $0["source"].prepend("0") },
      "prepend(other)": { $0["source"].prepend($0["other"]) },
      "append(3)": { $0["source"].append("3") },
      "append(other)": { $0["source"].append($0["other"]) },
    ]
  }
}
