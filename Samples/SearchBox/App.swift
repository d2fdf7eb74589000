import Dispatch
import ReactiveKit

/// The keyboard, and the screen that is open.
@MainActor
final class App {
  /// The text of the search box. It belongs to the app and outlives every screen, so a screen that
  /// forgets to dispose stays subscribed.
  private let searchText = PassthroughSubject<String, Never>()
  private let index: SourceIndex
  private let typing: Typing
  private let leaks: Bool
  private var screen: SearchScreen?

  init(index: SourceIndex, typing: Typing, leaks: Bool) {
    self.index = index
    self.typing = typing
    self.leaks = leaks
  }

  func start(whenDone: @escaping @MainActor () -> Void) {
    print("Searching \(index.files.count) files")
    typing.play(
      { [self] action in handle(action) },
      whenDone: { [self] in
        // Lets the last search finish, or cancels it, before the program ends.
        handle(.closes)
        index.whenIdle(whenDone)
      })
  }

  private func handle(_ action: Keyboard) {
    switch action {
    case .opens:
      screen = SearchScreen(searchText: searchText, index: index, leaks: leaks)
    case .types(let text):
      searchText.send(text)
    case .closes:
      screen = nil
    }
  }
}
