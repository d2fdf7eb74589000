import ReactiveKit
import TestSupport

extension DiagramTable {
  static var errors: [String: Play] {
    [
      "flatMapError { _ in other }": { stage in
        stage["source"].flatMapError { _ in stage["other"] }
      },
      "replaceError(with: 0)": { $0["source"].replaceError(with: "0") },
      "suppressError(logging: false)": { $0["source"].suppressError(logging: false) },
      "retry(1)": { $0["source"].retry(1) },
      "retry(when: other)": { $0["source"].retry(when: $0.safe("other")) },
      "mapToResult()": {
        $0["source"].mapToResult().map { result in
          switch result {
          case .success(let element): element
          case .failure: "e"
          }
        }
      },
      "tryMap { number($0) }": {
        $0["source"].tryMap { text -> Result<Int, TestError> in
          Int(text).map { .success($0) } ?? .failure(TestError())
        }
      },
      "toErrorSignal()": { $0["source"].toErrorSignal().replaceElements(with: "e") },
    ]
  }
}
