import ReactiveKit
import TestSupport

extension DiagramTable {
  static var filtering: [String: Play] {
    [
      "filter { $0 > 2 }": { $0["source"].ints.filter { $0 > 2 } },
      "compactMap { Int($0) }": { $0["source"].compactMap { Int($0) } },
      "removeDuplicates()": { $0["source"].removeDuplicates() },
      "flatMapFilter { answer($0) }": { stage in
        stage["source"].flatMapFilter { stage.safe($0 == "1" ? "yes" : "no").map { $0 == "t" } }
      },
      "pausable(by: isOpen)": { $0["source"].pausable(by: $0["isOpen"].map { $0 == "t" }) },
      "first()": { $0["source"].first() },
      "prefix(maxLength: 2)": { $0["source"].prefix(maxLength: 2) },
      "prefix(while: { $0 < 3 })": { $0["source"].ints.prefix(while: { $0 < 3 }) },
      "prefix(while: { $0 < 3 }, inclusive: true)": {
        $0["source"].ints.prefix(while: { $0 < 3 }, inclusive: true)
      },
      "prefix(untilOutputFrom: other)": { $0["source"].prefix(untilOutputFrom: $0["other"]) },
      "dropFirst(2)": { $0["source"].dropFirst(2) },
      "last()": { $0["source"].last() },
      "suffix(maxLength: 2)": { $0["source"].suffix(maxLength: 2) },
      "dropLast(2)": { $0["source"].dropLast(2) },
      "output(at: 1)": { $0["source"].output(at: 1) },
      "ignoreOutput()": { $0["source"].ignoreOutput() },
      "ignoreTerminal()": { $0["source"].ignoreTerminal() },
    ]
  }
}
