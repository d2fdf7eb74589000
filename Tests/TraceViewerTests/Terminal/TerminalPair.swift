import PseudoTerminals
import SystemLibrary
import TestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

/// Both ends of a pseudo-terminal: one for programs, and one for the test that emulates the
/// terminal.
///
/// Both ends stay open, so that output can still be read after a program has ended.
final class TerminalPair {
  /// The system couldn't create a pseudo-terminal. The reason is `errno`.
  struct Failure: Error {
    let reason: Int32
  }

  /// The end of the emulated terminal.
  let master: Int32
  /// The end that programs use as their terminal.
  let slave: Int32
  let path: String

  init(columns: Int = 80, rows: Int = 24) throws {
    var name = [CChar](repeating: 0, count: 128)
    master = pseudo_terminal_open(&name, name.count)
    guard master >= 0 else { throw Failure(reason: errno) }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    slave = open(path, O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw Failure(reason: errno) }
    _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Resizes the window. The kernel notifies the foreground program.
  func resize(columns: Int, rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    #if canImport(Darwin)
      // The macro is too complex for Swift to import.
      let request: UInt = 0x8008_7467
    #else
      let request = UInt(TIOCSWINSZ)
    #endif
    _ = ioctl(slave, request, &size)
  }

  /// The current settings of the terminal.
  var attributes: TerminalAttributes {
    var attributes = termios()
    _ = tcgetattr(slave, &attributes)
    return TerminalAttributes(value: attributes)
  }

  func send(_ bytes: [UInt8]) {
    _ = TerminalIO.put(bytes, master) { false }
  }

  /// Returns unread output of programs. Waits until all of it meets the condition.
  func read(until isEnough: ([UInt8]) -> Bool = { _ in true }) -> [UInt8] {
    var bytes: [UInt8] = []
    while poll(isEnough(bytes) ? 0 : TerminalPair.maxMilliseconds),
      case .bytes(let more) = TerminalIO.take(master)
    { bytes += more }
    return bytes
  }

  /// The time after which a program counts as hanging.
  static let maxMilliseconds = Int32(hangLimit * 1000)

  private func poll(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    #if canImport(Glibc)
      return Glibc.poll(&request, 1, milliseconds) > 0
    #elseif canImport(Musl)
      return Musl.poll(&request, 1, milliseconds) > 0
    #else
      return Darwin.poll(&request, 1, milliseconds) > 0
    #endif
  }
}

/// All settings of a terminal, compared byte by byte.
struct TerminalAttributes: Equatable {
  let value: termios

  /// A Boolean value that indicates whether keys are passed on immediately, without echo and
  /// signals.
  var isRaw: Bool {
    let flags = tcflag_t(ICANON) | tcflag_t(ECHO) | tcflag_t(ISIG)
    return value.c_lflag & flags == 0
  }

  static func == (left: TerminalAttributes, right: TerminalAttributes) -> Bool {
    withUnsafeBytes(of: left.value) { left in
      withUnsafeBytes(of: right.value) { left.elementsEqual($0) }
    }
  }
}
