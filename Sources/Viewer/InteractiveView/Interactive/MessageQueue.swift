import SystemLibrary
import TerminalUI

/// A queue for messages from other threads to the thread that draws, which waits for messages and
/// keys at once.
package final class MessageQueue: Sendable {
  private let messages = BlockingMutex<[Message]>([])
  /// A descriptor that is readable while there are messages.
  let descriptor: Int32
  private let wakeDescriptor: Int32

  /// Creates the queue, or returns `nil` if the system has no descriptors left.
  package init?() {
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

  /// Posts a message. Any thread may call this method.
  func post(_ message: Message) {
    let isFirst = messages.withLock { messages in
      let isFirst = messages.isEmpty
      // The thread that draws may be busy. States of the log are large, so only the latest one is
      // kept.
      messages.removeAll { message.replaces($0) }
      messages.append(message)
      return isFirst
    }
    guard isFirst else { return }
    var byte: UInt8 = 1
    _ = write(wakeDescriptor, &byte, 1)
  }

  /// Returns all messages that were posted since the last call.
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
  /// Reports whether this message makes an earlier, untaken message obsolete.
  fileprivate func replaces(_ earlier: Message) -> Bool {
    switch (self, earlier) {
    case (.arranged, .arranged), (.arranged, .progressed), (.progressed, .progressed),
      (.searched, .searched), (.summarized, .summarized):
      true
    default: false
    }
  }
}
