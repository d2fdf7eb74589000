import SystemLibrary
import TerminalUI

/// Messages from other threads to the one that draws, which waits for them beside keys.
final class MessageQueue: Sendable {
  private let messages = BlockingMutex<[Message]>([])
  /// Something can be read from it while there are messages.
  let descriptor: Int32
  private let wakeDescriptor: Int32

  /// Nil where the system has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
    descriptor = ends[0]
    wakeDescriptor = ends[1]
  }

  deinit {
    close(descriptor)
    close(wakeDescriptor)
  }

  /// From any thread.
  func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      let isFirst = messages.isEmpty
      // Whoever draws may be kept waiting: of states of the log, which are large, only the latest is worth keeping.
      messages.removeAll { message.replaces($0) }
      messages.append(message)
      return isFirst
    }
    guard isFirst else { return }
    var byte: UInt8 = 1
    _ = write(wakeDescriptor, &byte, 1)
  }

  /// All that were posted since.
  func take() -> [Message] {
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = read(descriptor, &bytes, bytes.count)
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

extension Message {
  /// Whether an earlier message that nobody has taken yet says nothing that this one does not say better.
  fileprivate func replaces(_ earlier: Message) -> Bool {
    switch (self, earlier) {
    case (.arranged, .arranged), (.arranged, .progressed), (.progressed, .progressed),
      (.searched, .searched), (.summarized, .summarized):
      true
    default: false
    }
  }
}
