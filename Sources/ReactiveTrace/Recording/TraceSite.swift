package import TraceFormat

/// The source location where a subscription is traced, with its lane and its operator. Making a
/// site is free, so an operator makes it even if tracing is off.
@usableFromInline
package struct TraceSite: Sendable {
  /// The name of the lane, or nil if the location names it.
  let name: String?
  let `operator`: LogFormat.Operator
  /// The library of the subscriptions, or nil for ReactiveKit.
  let library: LogFormat.StreamLibrary?
  /// The module and the file, such as `Shop/CartModel.swift`, or nil if only `place` identifies the
  /// site.
  let file: String?
  let line: Int
  let function: String?
  /// The location that names an observation without a name.
  let place: PlaceNumber?

  /// Creates a site for the operator `lane`.
  @usableFromInline
  package init(_ name: String?, file: String, line: Int, function: String) {
    self.init(name, .lane, file: file, line: line, function: function)
  }

  package init(
    _ name: String?, _ operator: LogFormat.Operator, library: LogFormat.StreamLibrary? = nil,
    file: String? = nil, line: Int = 0, function: String? = nil, place: PlaceNumber? = nil
  ) {
    self.name = name
    self.operator = `operator`
    self.library = library
    self.file = file
    self.line = line
    self.function = function
    self.place = place
  }

  /// The source location, such as `Shop/CartModel.swift:42`.
  var source: String? { file.map { "\($0):\(line)" } }

  var lane: String { name ?? source ?? (place ?? .unknown).lane }
}
