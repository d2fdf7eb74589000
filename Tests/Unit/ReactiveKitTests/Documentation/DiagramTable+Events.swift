import ReactiveKit
import TestSupport

extension DiagramTable {
  static var events: [String: Play] {
    [
      "materialize()": {
        $0["source"].materialize().map { event in
          switch event {
          case .next(let element): "next(\(element))"
          case .failed: "failed"
          case .completed: "completed"
          }
        }
      },
      "dematerialize()": {
        $0["source"].map { element -> TimedEvent.Event in
          element == "c" ? .completed : .next(element)
        }.dematerialize()
      },
      "repeat(when: { _ in other })": { stage in
        stage["source"].repeat(when: { _ in stage.safe("other") })
      },
    ]
  }
}
