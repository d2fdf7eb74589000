import TerminalUI

/// The loop of a server that reads requests from a pipe and answers them one after another.
///
/// It has one thread. A call can't be interrupted, but its response isn't sent if the client has
/// cancelled the request meanwhile.
struct ServingLoop {
  static let maxLineBytes = 1 << 20
  /// The maximum number of calls that wait. Further ones stay in the pipe.
  private static let maxWaiting = 64

  private var lines: LineReader
  private var server: ToolServer
  private let output: Output
  private let run: (ToolCall) -> Result<[String], ToolError>
  private var waiting: [ToolServer.PendingCall] = []
  private var hasEnded = false
  /// The request whose call is running, or nil if it was cancelled.
  private var running: RequestID?

  /// - Parameters:
  ///   - input: The descriptor to read from.
  ///   - output: The output for responses, to which nothing else may write.
  ///   - run: Runs a call, and returns the texts of its result.
  init(
    _ server: ToolServer, input: Int32, output: Output,
    run: @escaping (ToolCall) -> Result<[String], ToolError>
  ) {
    self.server = server
    self.output = output
    self.run = run
    lines = LineReader(input, maxBytes: Self.maxLineBytes)
  }

  /// Serves until the input ends and all its requests are answered, or the output fails.
  mutating func serve() {
    while output.failure == nil {
      readAvailable()
      guard !waiting.isEmpty else {
        if hasEnded { return }
        take(lines.next(waits: true))
        continue
      }
      let pending = waiting.removeFirst()
      running = pending.id
      let result = run(pending.call)
      // A cancellation may be among what arrived meanwhile.
      readAvailable()
      if running == pending.id { send(ToolServer.response(to: pending, result)) }
      running = nil
    }
  }

  private mutating func readAvailable() {
    while !hasEnded, waiting.count < Self.maxWaiting {
      let input = lines.next(waits: false)
      if input == .nothing { return }
      take(input)
    }
  }

  private mutating func take(_ input: LineReader.Input) {
    switch input {
    case .nothing: return
    case .end: hasEnded = true
    case .tooLong: send(ToolServer.tooLong(maxBytes: Self.maxLineBytes))
    case .line(let line):
      switch server.receive(line) {
      case .none: return
      case .respond(let text): send(text)
      case .call(let call): waiting.append(call)
      case .cancel(let id):
        waiting.removeAll { $0.id == id }
        if running == id { running = nil }
      }
    }
  }

  private func send(_ text: String) {
    output.write(text + "\n")
    output.flush()
  }
}
