import SystemLibrary
import TraceFormat

/// A copy of the label of a dispatch queue, to see whether a thread still serves that queue.
///
/// The address of a label says nothing, as the memory of a queue that is gone may be given to the next one.
struct QueueLabel {
  private var copy: UnsafeMutablePointer<CChar>?
  private var address: UnsafePointer<CChar>?

  mutating func remember(_ label: UnsafePointer<CChar>?) {
    forget()
    copy = label.flatMap { strdup($0) }
    address = label
  }

  mutating func forget() {
    free(copy)
    copy = nil
    address = nil
  }

  /// Whether `label` reads the same. Some nanoseconds: it is asked for every record.
  @inline(__always)
  func matches(_ label: UnsafePointer<CChar>?) -> Bool {
    guard let label, let copy else { return label == nil && copy == nil }
    return label == address && strcmp(label, copy) == 0
  }
}
