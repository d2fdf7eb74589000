import PseudoTerminals
import SystemLibrary
import TestSupport

@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

/// Both ends of a pseudo-terminal: the one that programs see, and the one of whoever plays the terminal.
///
/// Both stay open, so that what a program wrote is still to be read when it is over.
final class TerminalPair {
  /// The system gave none, with `errno`.
  struct Failure: Error {
    let reason: Int32
  }

  /// Plays the terminal.
  let master: Int32
  /// What programs have for a terminal.
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

  /// The kernel tells the program in the foreground.
  func resize(columns: Int, rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    #if canImport(Darwin)
      // The macro is too intricate to be imported.
      let request: UInt = 0x8008_7467
    #else
      let request = UInt(TIOCSWINSZ)
    #endif
    _ = ioctl(slave, request, &size)
  }

  /// How the terminal is set now.
  var attributes: TerminalAttributes {
    var attributes = termios()
    _ = tcgetattr(slave, &attributes)
    return TerminalAttributes(value: attributes)
  }

  func send(_ bytes: [UInt8]) {
    _ = TerminalIO.put(bytes, master) { false }
  }

  /// What programs wrote and nobody has read; waits for it until the condition holds of all of it.
  func read(until isEnough: ([UInt8]) -> Bool = { _ in true }) -> [UInt8] {
    var bytes: [UInt8] = []
    while poll(isEnough(bytes) ? 0 : TerminalPair.mostMilliseconds),
      case .bytes(let more) = TerminalIO.take(master)
    { bytes += more }
    return bytes
  }

  /// Bounds a hang, and nothing else.
  static let mostMilliseconds = Int32(hangLimit * 1000)

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

/// All that a terminal is set to, compared byte by byte.
struct TerminalAttributes: Equatable {
  let value: termios

  /// Whether keys come one by one, unseen and without a signal.
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
