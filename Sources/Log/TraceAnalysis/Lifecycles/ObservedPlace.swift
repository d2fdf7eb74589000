package import TraceFormat

/// The place where a subscription was observed: the call of `observeNext`, `bind` or `sink`, or the
/// loop over its values.
package struct ObservedPlace: Sendable, Hashable {
  /// The source location, such as `Module/File.swift:26`; `nil` if the log does not say.
  package let source: String?
  /// The function of the call or, without debug information, its name or its image and offset.
  package let function: String?

  package init(source: String? = nil, function: String? = nil) {
    self.source = source
    self.function = function
  }

  /// The source file, without the line.
  package var file: String? { source.map { SourceText($0).file } }
  /// The line in the source file.
  package var line: Int? { source.flatMap { SourceText($0).line } }
}

/// A table of the values of the key `observed`. A lifecycle has an index in this table, because
/// most subscriptions share their value with others.
struct ObservedTable: Sendable {
  /// The index of an unknown place.
  static let nowhere: UInt32 = 0

  private var texts: [String] = []
  private var indices: [String: UInt32] = [:]

  var isEmpty: Bool { texts.isEmpty }

  /// Returns the index of a string, from 1.
  mutating func index(of text: RawText?) -> UInt32 {
    guard let text, text.count > 0 else { return Self.nowhere }
    return index(of: text.string)
  }

  private mutating func index(of text: String) -> UInt32 {
    if let known = indices[text] { return known }
    // No file has this many.
    guard texts.count < Int(UInt32.max) else { return Self.nowhere }
    texts.append(text)
    let index = UInt32(texts.count)
    indices[text] = index
    return index
  }

  /// Adds the values of another table.
  ///
  /// - Returns: The index in this table for each index of the other table.
  mutating func append(_ other: ObservedTable) -> [UInt32] {
    guard !other.isEmpty else { return [] }
    return [Self.nowhere] + other.texts.map { index(of: $0) }
  }

  /// Returns the place for each index; nil for a name that the log does not resolve.
  func places(_ explain: (String) -> PlaceName?) -> [ObservedPlace?] {
    guard !isEmpty else { return [] }
    return [nil]
      + texts.map { text in
        if let place = explain(text) {
          return ObservedPlace(source: place.source, function: place.function)
        }
        return SourceText(text).line == nil ? nil : ObservedPlace(source: text)
      }
  }

  /// Returns the calls that led to each index, innermost first.
  func callers(_ explain: (String) -> PlaceName?) -> [[UnfinishedTask.Call]] {
    isEmpty ? [] : [[]] + texts.map { explain($0)?.calls ?? [] }
  }
}

extension LogAnalysis {
  /// Returns the place where a subscription was observed; `nil` if the log does not say.
  package func observed(of lifecycle: Lifecycle) -> ObservedPlace? {
    let places = logs[Int(lifecycle.log)].places
    let index = Int(lifecycle.observedIndex)
    return index < places.count ? places[index] : nil
  }

  /// Returns the calls that led to the place where a subscription was observed, innermost first.
  /// They are empty if the log does not say.
  package func callers(of lifecycle: Lifecycle) -> [UnfinishedTask.Call] {
    let callers = logs[Int(lifecycle.log)].callers
    let index = Int(lifecycle.observedIndex)
    return index < callers.count ? callers[index] : []
  }

  /// Returns the reason why a subscription is still alive; `nil` if the log does not say, or if it
  /// ended later.
  ///
  /// - Parameter index: An index in `lifecycles`.
  package func retention(of index: Int) -> Retention? {
    let lifecycle = lifecycles[index]
    guard lifecycle.isActive else { return nil }
    var retention = logs[Int(lifecycle.log)].retentions[lifecycle.id.number]
    if lifecycle.isObject { retention?.subject = .object }
    retention?.library = lifecycle.site.library
    return retention
  }
}
