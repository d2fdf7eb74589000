import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let chat = Lesson(
    name: "ChatScreen",
    lane: "chat.messages",
    mistake: "The handler that a screen gives to its child holds the screen.",
    cure: "Capture self weakly in the handler.",
    leaky: {
      let screen = ChatScreen()
      screen.open()
      Chat.messages.send("Hello")
    },
    cured: {
      let screen = CuredChatScreen()
      screen.open()
      Chat.messages.send("Hello")
    })
}

private enum Chat {
  static let messages = PassthroughSubject<String, Never>()
}

/// The field for a new message.
private final class Composer {
  var onSend: ((String) -> Void)?
}

/// A screen with messages. The observation is weak, but something else retains the screen.
private final class ChatScreen {
  private var messages: [String] = []
  private let composer = Composer()
  private let bag = DisposeBag()

  func open() {
    composer.onSend = { text in self.messages.append(text) }  // mistake
    Chat.messages
      .lane("chat.messages")
      .observeNext { [weak self] in self?.messages.append($0) }  // observed
      .dispose(in: bag)
  }
}

private final class CuredChatScreen {
  private var messages: [String] = []
  private let composer = Composer()
  private let bag = DisposeBag()

  func open() {
    composer.onSend = { [weak self] text in self?.messages.append(text) }
    Chat.messages
      .lane("chat.messages")
      .observeNext { [weak self] in self?.messages.append($0) }
      .dispose(in: bag)
  }
}
