import Dispatch
import Foundation
import ReactiveKit
import ReactiveTrace

/// A function that writes `count` records of about 140 bytes, one for each event, on one thread.
typealias Writer = (_ count: Int) -> Void

/// A way to write records, ours or another.
struct TracingWay {
  enum Kind {
    case limit, alternative, ours
  }

  let name: String
  let kind: Kind
  /// The number of events in a sample, which is lower for slow ways.
  var events = 1_000_000
  /// Creates the state that all threads share. The result creates the writer of each thread.
  let make: (_ path: String) -> (_ thread: Int) -> Writer
  /// Runs after the sample.
  var end: () -> Void = {}
  /// Measures a way that another program has: returns the nanoseconds of a record.
  var measure: ((_ path: String, _ threads: Int, _ count: Int) -> Double)? = nil
  /// Describes the same elements with `String(describing:)`, and returns the total length.
  var describe: ((_ count: Int) -> Int)? = nil
}

/// A name whose length makes a record 140 bytes long.
let tracedLane = "search.suggestions.results.of.the.first.section"
private let text = "0123456789"

extension TracingWay {
  static func all(with others: [TracingWay]) -> [TracingWay] {
    limits + alternatives + others + ours
  }

  static let limits: [TracingWay] = [
    TracingWay(name: "a copy of 140 bytes", kind: .limit) { _ in
      { _ in
        let source = UnsafeMutableRawPointer.allocate(byteCount: 140, alignment: 16)
        source.initializeMemory(as: UInt8.self, repeating: 1, count: 140)
        let target = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
        return { count in
          for index in 0..<count {
            (target + (index &* 140) & 0x7FFF).copyMemory(from: opaque(source), byteCount: 140)
          }
        }
      }
    },
    TracingWay(name: "the clock", kind: .limit) { _ in
      { _ in { count in for _ in 0..<count { _ = opaque(clockNow()) } } }
    },
    TracingWay(name: "formatting by hand", kind: .limit) { _ in
      { thread in
        var line = HandFormatting()
        return { count in for _ in 0..<count { line.make(thread, text) } }
      }
    },
  ]

  static let alternatives: [TracingWay] = [
    TracingWay(name: "interpolation, FileHandle.write", kind: .alternative, events: 100_000) {
      path in
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      let file = FileHandle(forWritingAtPath: path)
      return { thread in
        { count in for _ in 0..<count { file?.write(Data(interpolated(thread, text).utf8)) } }
      }
    },
    printing(text),
    encoding(text),
    TracingWay(name: "by hand, a buffer under a mutex", kind: .alternative) { path in
      let shared = SharedBuffer(path)
      return { thread in
        var line = HandFormatting()
        return { count in
          for _ in 0..<count {
            line.make(thread, text)
            shared.append(line.bytes, line.count)
          }
        }
      }
    },
  ]

  /// Returns the way that prints a string as part of a record.
  static func printing(_ text: String) -> TracingWay {
    let file = OpenedFile()
    return TracingWay(
      name: "interpolation, buffered fwrite", kind: .alternative, events: 200_000,
      make: { path in
        file.pointer = fopen(path, "w")
        return { thread in
          { count in
            guard let file = file.pointer else { return }
            for _ in 0..<count {
              var line = interpolated(thread, text)
              line.withUTF8 { _ = fwrite($0.baseAddress, 1, $0.count, file) }
            }
          }
        }
      }, end: { file.close() })
  }

  /// Returns the way that encodes a record with a string.
  static func encoding(_ text: String) -> TracingWay {
    let file = OpenedFile()
    return TracingWay(
      name: "JSONEncoder, write", kind: .alternative, events: 50_000,
      make: { path in
        file.pointer = fopen(path, "w")
        let descriptor = file.pointer.map { fileno($0) } ?? -1
        return { thread in
          let encoder = JSONEncoder()
          return { count in
            for _ in 0..<count {
              guard var line = try? encoder.encode(Encoded(thread, text)) else { return }
              line.append(0x0A)
              line.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
            }
          }
        }
      }, end: { file.close() })
  }

  /// A file that is open during a sample.
  private final class OpenedFile: @unchecked Sendable {
    var pointer: UnsafeMutablePointer<FILE>?

    func close() {
      if let pointer { fclose(pointer) }
      pointer = nil
    }
  }

  /// Returns the way that sends a string through a lane, which records at most `limit` bytes of it.
  static func lane(of text: String, limit: Int) -> TracingWay {
    TracingWay(
      name: "lane", kind: .ours,
      make: { path in
        try? Trace.start(path, options: Trace.Options(valueLimit: limit))
        return { _ in chain({ _ in text }) { $0.lane(tracedLane) } }
      }, end: { Trace.stop() })
  }

  static let ours: [TracingWay] = [
    lane("lane, strings of 10") { _ in text },
    lane("lane, integers") { 1000 &+ $0 & 0xFFFF },
    lane("lane, doubles") { Double($0 & 0xFF) / 8 },
    lane("lane, arrays of 3 integers") { [$0 & 7, 2, 3] },
    lane("lane, a struct of 3 fields", events: 300_000) { Trade($0) },
    lane("lane, an optional struct", events: 300_000) { Optional(Trade($0)) },
    lane("lane, an enum with a payload", events: 300_000) { Message.filled(Trade($0)) },
    lane("lane, a dictionary of 3", events: 300_000) { ["a": $0 & 7, "b": 2, "c": 3] },
    lane("lane, a struct of 10 fields", events: 300_000) { Order(trade: Trade($0)) },
    lane("lane, off", isOn: false) { 1000 &+ $0 & 0xFFFF },
    TracingWay(name: "no lane", kind: .ours) { _ in
      { _ in chain({ 1000 &+ $0 & 0xFFFF }) { $0.toSignal() } }
    },
  ]

  /// The parts of the recorder that this build leaves out, to measure their benefit.
  static let leftOut: String = {
    var parts: [String] = []
    #if TRACE_WITHOUT_SHORT_TEXT
      parts.append("ShortText")
    #endif
    #if TRACE_WITHOUT_LINE_PREFIX
      parts.append("LinePrefix")
    #endif
    return parts.isEmpty ? "" : " Without " + parts.joined(separator: " and ") + "."
  }()

  private struct Trade: Sendable {
    let id: Int
    let symbol: String
    let price: Double

    init(_ number: Int) {
      id = number & 0xFFFF
      symbol = "SYM5"
      price = Double(number & 0xFF) / 8
    }
  }

  private enum Message: Sendable {
    case filled(Trade)
    case failed(code: Int)
  }

  private struct Order: Sendable {
    var id = 1204, account = "A-17", symbol = "SYM5", price = 6.25, size = 100
    var isOpen = true, side: UInt8 = 1, limit: Double? = 6.5, note = "first"
    var trade: Trade
  }

  /// Returns the way that sends through a lane. Its cost includes sending.
  @inline(__always)
  private static func lane<Element: Sendable>(
    _ name: String, isOn: Bool = true, events: Int = 1_000_000,
    _ element: @escaping @Sendable (Int) -> Element
  ) -> TracingWay {
    TracingWay(
      name: name, kind: .ours, events: events,
      make: { path in
        if isOn { try? Trace.start(path) }
        return { _ in chain(element) { $0.lane(tracedLane) } }
      }, end: { Trace.stop() },
      describe: { count in
        (0..<count).reduce(0) { $0 &+ String(describing: element($1)).utf8.count }
      })
  }

  /// Returns a writer with its own subject, so that threads share only the log.
  @inline(__always)
  private static func chain<Element>(
    _ element: @escaping (Int) -> Element,
    _ make: (PassthroughSubject<Element, Never>) -> Signal<Element, Never>
  ) -> Writer {
    let subject = PassthroughSubject<Element, Never>()
    let sum = Sum()
    let disposable = make(subject).observeNext { _ in sum.value.pointee &+= 1 }
    return { count in
      for index in 0..<count { subject.send(element(index)) }
      withExtendedLifetime(disposable) {}
    }
  }
}

func clockNow() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
}
