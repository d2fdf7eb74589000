import Foundation
package import Testing

/// A process that a test starts, with pipes or sockets for its output and errors, and with empty
/// input.
///
/// A process that still runs after its time limit, by default `hangLimit`, is killed together with
/// its process group. The test then reports an issue with the output of the process.
package final class ChildProcess {
  private let process: pid_t
  private let words: String
  private let output: Int32
  private let errors: Int32
  private let start = ContinuousClock.now
  private let seconds: Double
  private let sourceLocation: SourceLocation
  private var ending: ProcessEnding?
  private var hasHung = false

  /// The kind of the streams for output and errors.
  package enum Streams {
    case pipes
    /// Sockets of which the process has the end that doesn't block.
    case nonBlockingSockets
  }

  /// Starts the program at `path`.
  ///
  /// - Parameter environment: The variables to set in addition to those of this process. Nil unsets
  ///   a variable.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String?] = [:],
    streams: Streams = .pipes, limit seconds: Double = hangLimit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var all = ProcessInfo.processInfo.environment
    for (name, value) in environment { all[name] = value }
    let make = streams == .pipes ? Spawner.pipe : Spawner.nonBlockingSocket
    let (output, errors) = (try make(), try make())
    defer {
      close(output.write)
      close(errors.write)
    }
    (self.output, self.errors) = (output.read, errors.read)
    self.seconds = seconds
    self.sourceLocation = sourceLocation
    words = ([path] + arguments).joined(separator: " ")
    do {
      process = try Spawner.start(
        path, arguments, environment: all,
        files: [
          (0, .path("/dev/null")), (1, .descriptor(output.write)), (2, .descriptor(errors.write)),
        ])
    } catch {
      close(output.read)
      close(errors.read)
      throw error
    }
  }

  deinit {
    if ending == nil {
      killGroup()
      _ = Spawner.reap(process)
    }
    close(output)
    close(errors)
  }

  /// Waits until the process ends, and returns how it ended and its output.
  package func finish() -> (ending: ProcessEnding, output: [UInt8], errors: [UInt8]) {
    let (output, errors) = read()
    return (reap(), output, errors)
  }

  /// Waits until the process has written `count` bytes, then kills it in the middle of its work.
  /// Returns how it ended and its output.
  package func kill(afterBytes count: Int) -> (ending: ProcessEnding, output: [UInt8]) {
    let first = read(upTo: count).output
    Foundation.kill(process, SIGKILL)
    let rest = read().output
    return (reap(), first + rest)
  }

  /// Waits until the process has written `count` bytes, calls `body` with its ID while it runs, and
  /// then kills it. Returns the result of `body`.
  @discardableResult
  package func inspect<Result>(
    afterBytes count: Int, _ body: (Int32) throws -> Result
  ) rethrows -> Result {
    _ = read(upTo: count)
    defer {
      killGroup()
      _ = read()
      _ = reap()
    }
    return try body(process)
  }

  private func reap() -> ProcessEnding {
    if let ending { return ending }
    let ending = Spawner.reap(process)
    self.ending = ending
    return ending
  }

  /// Reads until both pipes are closed, `count` bytes of output have arrived, or the time is up.
  private func read(upTo count: Int = .max) -> (output: [UInt8], errors: [UInt8]) {
    var (outputBytes, errorBytes): ([UInt8], [UInt8]) = ([], [])
    var piece = [UInt8](repeating: 0, count: 65536)
    var open = [output, errors]
    while !open.isEmpty, outputBytes.count < count {
      var requests = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let passed = (ContinuousClock.now - start) / .seconds(1)
      let rest = Int32(max(0, seconds - passed) * 1000)
      guard poll(&requests, nfds_t(requests.count), hasHung ? 1000 : rest) != 0 else {
        if hasHung { break }
        hasHung = true
        killGroup()
        continue
      }
      for request in requests where request.revents != 0 {
        let most = request.fd == output ? min(piece.count, count - outputBytes.count) : piece.count
        let size = Foundation.read(request.fd, &piece, most)
        if size < 0, errno == EINTR { continue }
        if size <= 0 {
          open.removeAll { $0 == request.fd }
        } else if request.fd == output {
          outputBytes += piece[..<size]
        } else {
          errorBytes += piece[..<size]
        }
      }
    }
    if hasHung {
      let text = [outputBytes, errorBytes].map { String(decoding: $0.suffix(4096), as: UTF8.self) }
      Issue.record(
        "'\(words)' was killed after \(seconds) s. Its output: \(text[0]) Its errors: \(text[1])",
        sourceLocation: sourceLocation)
    }
    return (outputBytes, errorBytes)
  }

  private func killGroup() {
    Foundation.kill(-process, SIGKILL)
  }
}
