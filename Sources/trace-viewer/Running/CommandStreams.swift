import CViewer.Commands
import ProcessInspection
import SystemLibrary

/// The streams that a command writes to, and the times of its output.
///
/// The system notes when a file or a terminal was last written to. The command gets those of this
/// process, because it behaves differently if its output isn't a terminal. For a pipe, a socket and
/// the null device, the command gets a pipe instead. Another process, the relay, copies everything
/// from this pipe to the stream, and notes when.
final class CommandStreams {
  /// The descriptor for the standard output of the command.
  let output: Int32
  /// The descriptor for the standard error of the command.
  let errors: Int32
  /// The streams of this process that the command writes to without a relay.
  let direct: [Int32]

  #if os(Linux)
    private var relays: [OutputRelay]
  #endif

  /// - Parameters:
  ///   - outputToErrors: A Boolean value that indicates whether the command writes its output to
  ///     standard error.
  ///   - notesTimes: A Boolean value that indicates whether `lastOutput` is needed.
  init(outputToErrors: Bool, notesTimes: Bool) throws(RunFailure) {
    let streams = outputToErrors ? [STDERR_FILENO] : [STDOUT_FILENO, STDERR_FILENO]
    var descriptors = streams
    #if os(Linux)
      var relays: [OutputRelay] = []
      for (index, stream) in streams.enumerated() where notesTimes && process_can_relay(stream) {
        // Two relays to the same pipe would change the order of the output.
        let target = FileIdentity(stream)
        if let relay = relays.first(where: { $0.target == target }) {
          descriptors[index] = relay.input
        } else {
          let relay = try OutputRelay(to: stream, target)
          relays.append(relay)
          descriptors[index] = relay.input
        }
      }
      self.relays = relays
    #endif
    output = descriptors[0]
    errors = descriptors[descriptors.count - 1]
    direct = zip(streams, descriptors).filter { $0 == $1 }.map(\.0)
  }

  /// The time of the monotonic clock when a relay last copied output, in nanoseconds, or nil if
  /// there wasn't any.
  var lastOutput: Int? {
    #if os(Linux)
      relays.compactMap(\.lastOutput).max()
    #else
      nil
    #endif
  }

  /// The function that leaked the last continuation, as the Swift runtime printed it. A relay must
  /// have copied the line.
  var leakedContinuation: String? {
    #if os(Linux)
      relays.lazy.compactMap(\.leakedContinuation).first
    #else
      nil
    #endif
  }

  #if os(Linux)
    /// Returns the processes of the command that haven't ended. The relays aren't among them.
    func processes() -> [ProcessEntry] {
      ProcessEntry.descendants(of: getpid()).filter { entry in
        !entry.isZombie && !relays.contains { $0.isEntry(entry) }
      }
    }
  #endif

  /// Waits until everything that the command has written so far is in the streams of this process,
  /// so that what this process prints comes after it.
  ///
  /// It doesn't wait for processes that still write, and gives up when the reader of a stream
  /// doesn't read.
  ///
  /// - Parameter pause: The maximum time in which nothing is read, in nanoseconds.
  func finish(maxPause pause: Int) {
    #if os(Linux)
      let areFinished = relays.map { $0.finish(maxPause: pause) }
      // Without other writers, the relays end now.
      if !areFinished.contains(false), processes().isEmpty { relays.forEach { $0.reap() } }
      relays = []
    #endif
  }
}
