package import TraceFormat

/// The numbers of live objects by class at one moment.
package struct InstanceCounts: Sendable {
  package let time: Nanoseconds
  /// The number of the scope at whose end the objects were counted, or nil.
  package let scope: UInt64?
  package let classes: [LeakedObjects.Class]
}
