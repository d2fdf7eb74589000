import ReactiveKit
import TestSupport

extension DiagramTable {
  static var notation: [String: Play] {
    [
      "map { $0 * 2 }": { $0["source"].ints.map { $0 * 2 } },
      "append(other)": { $0["source"].append($0["other"]) },
      "share(limit: 1)": { $0["source"].share(limit: 1) },
      "buffer(size: 2)": { $0["source"].buffer(size: 2).map { $0.joined() } },
    ]
  }
}
