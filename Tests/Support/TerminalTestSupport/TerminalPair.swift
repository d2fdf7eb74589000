import PseudoTerminals
package import SystemLibrary
import TestSupport

/// Both ends of a pseudo-terminal: one for programs, and one for the test that emulates the
/// terminal.
///
/// Both ends stay open, so that output can still be read after a program has ended.
package final class TerminalPair {
  /// The system couldn't create a pseudo-terminal. The reason is `errno`.
  package struct Failure: Error {
    package let reason: Int32
  }

  /// The end of the emulated terminal.
  package let master: Int32
  /// The end that programs use as their terminal.
  package let slave: Int32
  package let path: String

  package init(columns: Int = 80, rows: Int = 24) throws {
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
  package func resize(columns: Int, rows: Int) {
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
  package var attributes: TerminalAttributes {
    var attributes = termios()
    _ = tcgetattr(slave, &attributes)
    return TerminalAttributes(value: attributes)
  }

  package func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(master, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }

  /// Returns unread output of programs. Waits until all of it meets the condition.
  package func read(until isEnough: ([UInt8]) -> Bool = { _ in true }) -> [UInt8] {
    var bytes: [UInt8] = []
    while poll(isEnough(bytes) ? 0 : TerminalPair.maxMilliseconds), let more = take() {
      bytes += more
    }
    return bytes
  }

  /// Reads the available output once. Returns nil if there is none.
  func take() -> [UInt8]? { readOnce(master) }

  /// The time after which a program counts as hanging.
  package static let maxMilliseconds = Int32(hangLimit * 1000)

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
package struct TerminalAttributes: Equatable {
  package let value: termios

  /// A Boolean value that indicates whether keys are passed on immediately, without echo and
  /// signals.
  package var isRaw: Bool {
    let flags = tcflag_t(ICANON) | tcflag_t(ECHO) | tcflag_t(ISIG)
    return value.c_lflag & flags == 0
  }

  package static func == (left: TerminalAttributes, right: TerminalAttributes) -> Bool {
    withUnsafeBytes(of: left.value) { left in
      withUnsafeBytes(of: right.value) { left.elementsEqual($0) }
    }
  }
}

// This is outside the class because the methods of the class hide the system function.
private func readOnce(_ descriptor: Int32) -> [UInt8]? {
  var length = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, initialized in
    length = read(descriptor, buffer.baseAddress, buffer.count)
    initialized = max(0, length)
  }
  return length > 0 ? bytes : nil
}
