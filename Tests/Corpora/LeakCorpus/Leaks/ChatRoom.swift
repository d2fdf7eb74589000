import ReactiveKit

extension LeakCase {
  static let chatRoom = held(
    "cache-in-global", lanes: ["room.messages"], roots: ["openRooms"],
    also: ["ChatRoom.bag", "ChatRoom.messages"], alive: true,
    .now {
      let room = ChatRoom()
      openRooms["swift"] = room
      room.messages.send("hello")
      return room
    })
}

@MainActor var openRooms: [String: ChatRoom] = [:]

/// A room that is never removed from the list of open rooms.
final class ChatRoom {
  let messages = PassthroughSubject<String, Never>()
  private var unread = 0
  private let bag = DisposeBag()

  init() {
    messages
      .traced("room.messages")
      .observeNext { [unowned self] _ in unread += 1 }  // observed
      .dispose(in: bag)
  }
}
