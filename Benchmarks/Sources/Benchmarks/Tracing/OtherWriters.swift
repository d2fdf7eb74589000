import Foundation

/// Returns the record as most programs would build it.
@inline(never)
func interpolated(_ thread: Int, _ value: String) -> String {
  "{\"t\":\(clockNow()),\"event\":\"next\",\"sub\":1,\"lane\":\"\(tracedLane)\","
    + "\"value\":\"\(value)\",\"thread\":\(thread)}\n"
}

/// The record for an encoder.
struct Encoded: Encodable {
  let t = clockNow()
  let event = "next"
  let sub = 1
  let lane = tracedLane
  let value: String
  let thread: Int

  init(_ thread: Int, _ value: String) {
    self.thread = thread
    self.value = value
  }
}

/// The record assembled byte by byte without escapes, as an optimized program would do it.
struct HandFormatting {
  let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
  private(set) var count = 0

  @inline(never)
  mutating func make(_ thread: Int, _ value: String) {
    count = 0
    append("{\"t\":")
    append(clockNow())
    append(",\"event\":\"next\",\"sub\":1,\"lane\":\"")
    append(Self.lane)
    append("\",\"value\":\"")
    var value = value
    value.withUTF8 { append($0) }
    append("\",\"thread\":")
    append(thread)
    append("}\n")
  }

  private static let lane: StaticString = "search.suggestions.results.of.the.first.section"

  private mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    (bytes + count).update(from: start, count: text.count)
    count += text.count
  }

  private mutating func append(_ number: Int) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { digits in
      var place = digits.count
      var rest = number
      repeat {
        place -= 1
        digits[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
        rest /= 10
      } while rest > 0
      append(UnsafeBufferPointer(rebasing: digits.bindMemory(to: UInt8.self)[place...]))
    }
  }
}

/// A buffer that all threads share, written when it is full.
final class SharedBuffer: @unchecked Sendable {
  private let file: Int32
  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 16)
  private var count = 0
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ path: String) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  func append(_ line: UnsafeMutablePointer<UInt8>, _ length: Int) {
    pthread_mutex_lock(mutex)
    if count + length > 1 << 16 {
      _ = write(file, bytes, count)
      count = 0
    }
    (bytes + count).update(from: line, count: length)
    count += length
    pthread_mutex_unlock(mutex)
  }
}
