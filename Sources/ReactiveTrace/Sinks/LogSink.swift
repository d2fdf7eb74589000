/// A receiver of the finished lines of a log. It receives them with their newlines, one at a time
/// and in order.
package protocol LogSink: Sendable {
  /// A Boolean value that indicates whether lines can be delivered under a lock. This requires that
  /// the sink neither calls user code nor waits.
  var isImmediate: Bool { get }
  func take(_ line: [UInt8])
  func close()
}
