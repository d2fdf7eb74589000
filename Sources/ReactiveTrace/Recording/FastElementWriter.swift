import Synchronization
import TraceFormat

/// Functions that write an element record directly into the file, without assembling it elsewhere
/// first.
enum FastElementWriter {
  /// The maximum length in bytes of a value on the fast path. Longer values take the slow path.
  private static let maxLength = 2048

  /// Writes the element whose text is in `thread`. Returns false if the element must take the
  /// slow path.
  @inline(__always)
  static func write(
    _ nextLine: ElementLineTemplate, _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int,
    _ hot: RecorderHandle
  ) -> Bool {
    let count = thread.pointee.text.count
    guard thread.pointee.text.total == count, count <= maxLength, count <= hot.valueLimit,
      canWrite(thread, time)
    else { return false }
    thread.pointee.line.reserve(
      ElementLineTemplate.margin + 2 * 16 + count * JSONEscaping.worstGrowth)
    let value = thread.pointee.line.bytes + ElementLineTemplate.margin
    let valueCount = JSONEscaping.write(
      UnsafeBufferPointer(
        start: UnsafePointer(thread.pointee.text.bytes.assumingMemoryBound(to: UInt8.self)),
        count: count), to: value)
    let ending = thread.pointee.ending
    ByteWord.store(ending.low, ending.high, to: value, at: valueCount)
    let opening = LinePrefix(time)
    let size = opening.count + nextLine.count + valueCount + ending.count + 1
    withSpace(size, thread, at: time, hot) { target in
      nextLine.publish(opening, value: value, valueCount, rest: ending.count, to: target)
    }
    return true
  }

  /// Writes an element with short text. Returns false if it must take the slow path.
  @inline(__always)
  static func write(
    _ value: ShortText, _ nextLine: ElementLineTemplate,
    _ thread: UnsafeMutablePointer<ThreadContext>,
    at time: Int, _ hot: RecorderHandle
  ) -> Bool {
    guard value.count <= hot.valueLimit, canWrite(thread, time) else { return false }
    let ending = thread.pointee.ending
    let opening = LinePrefix(time)
    let size = opening.count + nextLine.count + value.count + ending.count + 1
    withSpace(size, thread, at: time, hot) { target in
      nextLine.publish(
        opening, value, rest: (ending.low, ending.high), ending.count, to: target)
    }
    return true
  }

  /// Writes an element without text, if `nextLine` is a template for such elements. Returns false
  /// if the element must take the slow path.
  @inline(__always)
  static func writeSilent(
    _ nextLine: ElementLineTemplate, _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int,
    _ hot: RecorderHandle
  ) -> Bool {
    guard canWrite(thread, time) else { return false }
    let ending = thread.pointee.ending
    let opening = LinePrefix(time)
    withSpace(opening.count + nextLine.count + ending.count + 1, thread, at: time, hot) { target in
      nextLine.publish(
        opening, .empty, rest: (ending.low, ending.high), ending.count, to: target)
    }
    return true
  }

  @inline(__always)
  private static func canWrite(
    _ thread: UnsafeMutablePointer<ThreadContext>, _ time: Int
  ) -> Bool {
    thread.pointee.sinkDepth == 0 && thread.pointee.ending.count <= 16
      && time <= LinePrefix.latestTime
  }

  @inline(__always)
  private static func withSpace(
    _ size: Int, _ thread: UnsafeMutablePointer<ThreadContext>, at time: Int, _ hot: RecorderHandle,
    _ publish: (UnsafeMutableRawPointer) -> Void
  ) {
    guard var file = hot.file else { return }
    while true {
      switch file._withUnsafeGuaranteedRef({
        $0.reserve(size, at: time, for: thread.writing)
      }) {
      case .space(let start):
        return file._withUnsafeGuaranteedRef { file in
          publish(file.base + start)
          file.finish(thread.writing)
        }
      case .refused(let refusal):
        let full = file.takeUnretainedValue()
        guard let next = hot.next(after: full, refusal, size: size) else { return }
        file = next
      }
    }
  }
}
