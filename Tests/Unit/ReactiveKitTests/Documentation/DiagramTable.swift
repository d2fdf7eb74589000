import ReactiveKit

/// The expressions in the diagrams of the documentation, as code.
enum DiagramTable {
  /// Makes the signal of a result from the inputs.
  typealias Play = (DiagramStage) -> any SignalProtocol

  /// The plays of each page by the labels of their results.
  static var pages: [String: [String: Play]] {
    [
      "CreatingSignals": creating,
      "TransformingOperators": transforming,
      "FilteringOperators": filtering,
      "CombiningOperators": combining,
      "FlatteningOperators": flattening,
      "TimingOperators": timing,
      "ErrorOperators": errors,
      "EventOperators": events,
      "SharingSignals": sharing,
      "SubjectsAndProperties": subjects,
      "LoadingSignals": loading,
      "MarbleDiagrams": notation,
    ]
  }
}
