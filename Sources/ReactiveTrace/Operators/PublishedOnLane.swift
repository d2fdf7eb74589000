public import ReactiveKit
import TraceFormat

/// A published property whose projected signal is traced.
///
///     final class Search: ObservableObject {
///       @PublishedOnLane("search.query") var query = ""
///     }
///     search.$query.sink { ... }
@propertyWrapper
public struct PublishedOnLane<Value> {
  private let published: Published<Value>
  private let name: String?
  private let filter: Trace.LaneFilter
  private let lifetime: Trace.Lifetime
  private let location: (file: String, function: String, line: Int)

  /// Creates a property with a traced signal. Without a name, the lane is named after the location
  /// of the declaration.
  public init(
    wrappedValue: Value, _ name: String? = nil, filter: Trace.LaneFilter = .all,
    lifetime: Trace.Lifetime = .normal, file: String = #fileID, function: String = #function,
    line: Int = #line
  ) {
    published = Published(wrappedValue: wrappedValue)
    self.name = name
    self.filter = filter
    self.lifetime = lifetime
    location = (file, function, line)
  }

  public var wrappedValue: Value {
    get { published.wrappedValue }
    nonmutating set { published.wrappedValue = newValue }
  }

  /// A traced signal of the values: the current value first, then each value that is set.
  public var projectedValue: Signal<Value, Never> {
    published.projectedValue.lane(
      name, filter: filter, lifetime: lifetime, file: location.file, function: location.function,
      line: location.line)
  }
}

extension PublishedOnLane: PublishedProperty {
  package var willChange: PassthroughSubject<Void, Never> { published.willChange }
}
