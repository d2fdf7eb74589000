import CRuntime.Scanning
import TraceFormat

/// A scanner for the lines that make up most of a log: elements and ends as the recorder writes
/// them.
///
///     {"t":1204,"event":"next","sub":1,"lane":"search","value":"swift","thread":2}
///     {"t":1208,"event":"disposed","sub":1,"lane":"search","thread":2}
///
/// It checks every byte that must be checked for the line to be valid JSON. It leaves a line that
/// differs in any way to the full parser. It examines up to 64 bytes at once, so that most lines
/// have no branches that the processor must predict.
struct ElementScanner {
  /// The number of bytes after the end of the input that the scanner may examine.
  static let lookahead = 80

  private(set) var time: UInt64 = 0
  private(set) var moment: TraceRecord.Moment
  private(set) var kind = LogFormat.Event.next
  private var position: UnsafePointer<UInt8>

  // Eight bytes each, with the first in the low bits.
  private static let event = word(",\"event\"")
  private static let next = word(":\"next\",")
  private static let sub = word("\"sub\":")
  private static let completed = word("complete")
  private static let disposed = word("disposed")
  private static let released = word("released")
  private static let lane = word(",\"lane\":")
  private static let value = word(",\"value\"")
  private static let thread = word(",\"thread")
  private static let opening = word("{\"t\":")

  @inline(__always)
  private static func word(_ text: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<text.utf8CodeUnitCount {
      word |= UInt64(text.utf8Start[index]) &<< UInt64(8 * index)
    }
    return word
  }

  /// Scans the element in the line that begins at `start`; nil if the line is anything else, or has
  /// no end before `limit`.
  @inline(__always)
  init?(_ start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>) {
    self.init(start, limit: limit, isEnd: false)
  }

  /// Scans the end of a subscription instead of an element.
  @inline(never)
  init?(endAt start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>) {
    self.init(start, limit: limit, isEnd: true)
  }

  @inline(__always)
  private init?(
    _ start: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>, isEnd: Bool
  ) {
    guard limit - start >= 48, Self.load(start) & 0xFF_FFFF_FFFF == Self.opening else { return nil }
    position = start + 5
    guard let time = Self.integer(&position), Self.load(position) == Self.event else { return nil }
    if isEnd {
      position += 8
      guard let end = Self.end(&position) else { return nil }
      kind = end
    } else {
      guard Self.load(position + 8) == Self.next else { return nil }
      position += 16
    }
    guard Self.load(position) & 0xFFFF_FFFF_FFFF == Self.sub else { return nil }
    position += 6
    guard let number = Self.integer(&position), let id = SubscriptionID(number),
      Self.load(position) == Self.lane, position[8] == UInt8(ascii: "\"")
    else { return nil }
    position += 9
    guard let lane = Self.shortString(&position, limit) else { return nil }
    var text: RawText?
    if Self.load(position) == Self.value {
      guard position[8] == UInt8(ascii: ":"), position[9] == UInt8(ascii: "\"") else { return nil }
      position += 10
      guard let known = Self.string(&position, limit) else { return nil }
      text = known
    }
    guard Self.load(position) == Self.thread, position[8] == UInt8(ascii: "\""),
      position[9] == UInt8(ascii: ":")
    else { return nil }
    position += 10
    // Bytes after the limit may belong to another line. Only a newline before the limit proves
    // that none of them was used.
    guard let thread = Self.integer(&position), position[0] == UInt8(ascii: "}"),
      position[1] == 0x0A,
      position + 1 < limit
    else { return nil }
    self.time = time
    moment = TraceRecord.Moment(id: id, lane: lane, text: text, truncated: nil, thread: thread)
  }

  /// The address after the last byte of the line, where its newline is.
  var end: UnsafePointer<UInt8> {
    @inline(__always) get { position + 1 }
  }

  @inline(__always)
  private static func load(_ position: UnsafePointer<UInt8>) -> UInt64 {
    ByteWord.load(UnsafeRawPointer(position), at: 0)
  }

  /// Scans the name of an end and the punctuation around it. A failure has more keys.
  @inline(__always)
  private static func end(_ position: inout UnsafePointer<UInt8>) -> LogFormat.Event? {
    guard position[0] == UInt8(ascii: ":"), position[1] == UInt8(ascii: "\"") else { return nil }
    let kind: LogFormat.Event
    switch load(position + 2) {
    case disposed: kind = .disposed
    case released: kind = .released
    case completed where position[10] == UInt8(ascii: "d"):
      kind = .completed
      position += 1
    default: return nil
    }
    guard position[10] == UInt8(ascii: "\""), position[11] == UInt8(ascii: ",") else { return nil }
    position += 12
    return kind
  }

  /// Scans up to 18 digits, without a leading zero.
  @inline(__always)
  private static func integer(_ position: inout UnsafePointer<UInt8>) -> UInt64? {
    let start = position
    var number = DigitWord(load(position))
    guard number.count > 0, start.pointee != 0x30 || number.count == 1 else { return nil }
    var value = number.value
    position += number.count
    while number.count == 8 {
      number = DigitWord(load(position))
      value = value &* number.power &+ number.value
      position += number.count
      guard position - start <= 18 else { return nil }
    }
    return value
  }

  /// Scans a string up to its quote; usually fewer than 32 bytes without an escape.
  @inline(__always)
  private static func shortString(
    _ position: inout UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>
  ) -> RawText? {
    let ends = analysis_ends_of_text_32(position)
    let count = ends.trailingZeroBitCount
    guard ends != 0, position[count] == UInt8(ascii: "\"") else { return string(&position, limit) }
    defer { position += count + 1 }
    return RawText(start: position, count: count, isEscaped: false)
  }

  /// Scans a string up to its quote.
  @inline(__always)
  private static func string(
    _ position: inout UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>
  ) -> RawText? {
    let start = position
    var isEscaped = false
    while position < limit {
      let marks = analysis_marks_of_64(position)
      // A byte after a backslash is not an end. Two backslashes in a row, or one at the very end,
      // need a closer look.
      let escaped = marks.backslashes &<< 1
      let ends = marks.quotes & ~escaped | marks.controls
      let before = ends == 0 ? UInt64.max : (ends & (0 &- ends)) &- 1
      let slashes = marks.backslashes & before
      if slashes != 0 {
        guard slashes & (slashes &<< 1) == 0, slashes &>> 63 == 0,
          (slashes &<< 1) & ~marks.quotes == 0
        else { return stringSlowPath(start, &position, limit) }
        isEscaped = true
      }
      guard ends != 0 else {
        position += 64
        continue
      }
      position += ends.trailingZeroBitCount
      guard position.pointee == UInt8(ascii: "\"") else { return nil }
      defer { position += 1 }
      return RawText(start: start, count: position - start, isEscaped: isEscaped)
    }
    return nil
  }

  /// Scans a string with any escapes except `\u`, which are left to the full parser.
  @inline(never)
  private static func stringSlowPath(
    _ start: UnsafePointer<UInt8>, _ position: inout UnsafePointer<UInt8>,
    _ limit: UnsafePointer<UInt8>
  ) -> RawText? {
    position = start
    while position < limit {
      let hits = ByteWord.endsOfPlainText(load(position))
      guard hits != 0 else {
        position += 8
        continue
      }
      position += hits.trailingZeroBitCount >> 3
      switch position.pointee {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return RawText(start: start, count: position - start, isEscaped: true)
      case UInt8(ascii: "\\"):
        guard isEscape(position[1]) else { return nil }
        position += 2
      default:
        return nil
      }
    }
    return nil
  }

  private static func isEscape(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "n"),
      UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"):
      true
    default:
      false
    }
  }
}
