import ReactiveKit
import TestSupport

extension DiagramTable {
  static var sharing: [String: Play] {
    [
      "share(limit: 1)": { $0["source"].share(limit: 1) },
      "publish().refCount()": { $0["source"].publish().refCount() },
      "publish()": { stage in
        let signal = stage["source"].publish()
        stage.at(3) { _ = signal.connect() }
        return signal
      },
      "replay(limit: 2)": { stage in
        let signal = stage["source"].replay(limit: 2)
        _ = signal.connect()
        return signal
      },
    ]
  }
}
