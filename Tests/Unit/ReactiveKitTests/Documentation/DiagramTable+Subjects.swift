import ReactiveKit
import TestSupport

extension DiagramTable {
  static var subjects: [String: Play] {
    [
      "PassthroughSubject()": { $0.feeding(PassthroughSubject()) },
      "ReplayOneSubject()": { $0.feeding(ReplayOneSubject()) },
      "ReplaySubject(bufferSize: 2)": { $0.feeding(ReplaySubject(bufferSize: 2)) },
      "Property(0)": {
        let property = Property("0")
        _ = $0.safe("sent").bind(to: property)
        return property
      },
    ]
  }
}

extension DiagramStage {
  /// Sends the events of `sent` to the subject, and returns the subject.
  fileprivate func feeding(_ subject: Subject<String, TestError>) -> any SignalProtocol {
    _ = self["sent"].observe(with: subject)
    return subject
  }
}
