import ReactiveKit
import TestSupport

extension DiagramTable {
  static var flattening: [String: Play] {
    [
      "flatMapConcat { signal($0) }": { stage in
        stage["source"].flatMapConcat { stage.signal($0) }
      },
      "flatMapLatest { signal($0) }": { stage in
        stage["source"].flatMapLatest { stage.signal($0) }
      },
      "flatMapMerge { signal($0) }": { stage in
        stage["source"].flatMapMerge { stage.signal($0) }
      },
      "Signal(flattening: [a, b], strategy: .concat)": {
        Signal(flattening: [$0["a"], $0["b"]], strategy: .concat)
      },
    ]
  }
}

extension DiagramStage {
  /// The inner signal for an element.
  fileprivate func signal(_ element: String) -> Signal<String, TestError> {
    self[element == "1" ? "a" : "b"]
  }
}
