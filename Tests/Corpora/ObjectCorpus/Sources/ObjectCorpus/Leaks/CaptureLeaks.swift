extension ObjectCase {
  /// The closure captures the object in another form than a constant of its class.
  static var captureLeaks: [ObjectCase] {
    [
      .leak("capture-variable", .cycle(["Row.select", "closure.last"], leaked: ["Row": 1])) {
        var last: Row?
        let row = Row()
        row.select = { last = last?.next }  // closure: capture-variable
        last = row
      },
      // The variable is in a box that the closure captures, and the closure is in the box. The
      // ticket isn't on the cycle.
      .leak("capture-closure-itself", .cycle(["closure.again"], leaked: ["Ticket": 1])) {
        let ticket = Ticket()
        var again: () -> Void = {}
        again = {  // closure: capture-closure-itself
          ticket.uses += 1
          if ticket.uses < 3 { again() }
        }
        again()
      },
      .leak("capture-struct", .cycle(["Shelf.sort", "closure.context"], leaked: ["Shelf": 1])) {
        let shelf = Shelf()
        let context = opaque(ShelfContext(number: 1, shelf: shelf, title: "A"))
        shelf.sort = { context.shelf.sorts += context.number }  // closure: capture-struct
      },
      .leak(
        "capture-existential", .cycle(["Sprite.draw", "closure.target"], leaked: ["Sprite": 1])
      ) {
        let sprite = Sprite()
        let target: any Drawable = opaque(sprite)
        sprite.draw = { target.drawOnce() }  // closure: capture-existential
      },
      .leak(
        "capture-generic", .cycle(["Binding.update", "closure.owner"], leaked: ["Binding": 1])
      ) {
        let binding = Binding()
        bind(binding, owner: binding)
      },
      .leak("capture-array", .cycle(["Stage.replay", "closure.cast"], leaked: ["Stage": 2])) {
        let stages = [Stage(), Stage()]
        let cast = opaque(stages)
        stages[0].replay = { for stage in cast { stage.replays += 1 } }  // closure: capture-array
      },
      .leak("capture-optional", .cycle(["Popup.close", "closure.popup"], leaked: ["Popup": 1])) {
        let popup: Popup? = opaque(Popup())
        popup?.close = { popup?.isOpen = false }  // closure: capture-optional
      },
      // The weak reference in the capture list is of another object.
      .leak(
        "capture-wrong-weak", .cycle(["Editor.save", "closure.self"], leaked: ["Editor": 1])
      ) {
        let clipboard = Clipboard()
        Editor().setUp(clipboard)
      },
      .leak(
        "capture-two-variables",
        .cycle(["Game.move", "closure.game"], leaked: ["Game": 1, "Player": 1])
      ) {
        var player = Player()
        var game: Game? = Game()
        game?.move = {  // closure: capture-two-variables
          player.moves += 1
          if player.moves > 100 {
            player = Player()
            game = nil
          }
        }
      },
    ]
  }
}

private final class Row {
  var next: Row?
  var select: (() -> Void)?

  init() { Life.begin(self, "Row") }
  deinit { Life.end("Row") }
}

private final class Ticket {
  var uses = 0

  init() { Life.begin(self, "Ticket") }
  deinit { Life.end("Ticket") }
}

private struct ShelfContext {
  let number: Int
  let shelf: Shelf
  let title: String
}

private final class Shelf {
  var sort: (() -> Void)?
  var sorts = 0

  init() { Life.begin(self, "Shelf") }
  deinit { Life.end("Shelf") }
}

private protocol Drawable {
  func drawOnce()
}

private final class Sprite: Drawable {
  var draw: (() -> Void)?
  private var drawings = 0

  init() { Life.begin(self, "Sprite") }
  deinit { Life.end("Sprite") }

  func drawOnce() { drawings += 1 }
}

private final class Binding {
  var update: (() -> String)?

  init() { Life.begin(self, "Binding") }
  deinit { Life.end("Binding") }
}

@inline(never)
private func bind<Owner: AnyObject>(_ binding: Binding, owner: Owner) {
  binding.update = { "\(owner)" }  // closure: capture-generic
}

private final class Stage {
  var replay: (() -> Void)?
  var replays = 0

  init() { Life.begin(self, "Stage") }
  deinit { Life.end("Stage") }
}

private final class Popup {
  var close: (() -> Void)?
  var isOpen = true

  init() { Life.begin(self, "Popup") }
  deinit { Life.end("Popup") }
}

private final class Clipboard {
  var text = ""

  init() { Life.begin(self, "Clipboard") }
  deinit { Life.end("Clipboard") }
}

private final class Editor {
  private var save: (() -> Void)?
  private var text = ""

  init() { Life.begin(self, "Editor") }
  deinit { Life.end("Editor") }

  func setUp(_ clipboard: Clipboard) {
    save = { [weak clipboard] in clipboard?.text = self.text }  // closure: capture-wrong-weak
  }
}

private final class Player {
  var moves = 0

  init() { Life.begin(self, "Player") }
  deinit { Life.end("Player") }
}

private final class Game {
  var move: (() -> Void)?

  init() { Life.begin(self, "Game") }
  deinit { Life.end("Game") }
}
