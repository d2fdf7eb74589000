extension ObjectCase {
  /// The reference is a payload of an enum, or in an existential value.
  static var payloadLeaks: [ObjectCase] {
    [
      .leak(
        "enum-single-payload",
        .cycle(["Door.state", "Guest.door"], leaked: ["Door": 1, "Guest": 1])
      ) {
        let door = Door()
        door.state = .open(Guest(door))
      },
      .leak(
        "enum-multi-payload",
        .cycle(["Parcel.place", "Courier.parcel"], leaked: ["Parcel": 1, "Courier": 1])
      ) {
        let parcel = Parcel()
        parcel.place = .carried(Courier(parcel))
      },
      .leak(
        "enum-large-payload",
        .cycle(["Order.status", "Cook.order"], leaked: ["Order": 1, "Cook": 1])
      ) {
        let order = Order()
        order.status = .cooking(minutes: 5, Cook(order), note: "No salt")
      },
      .leak(
        "enum-indirect",
        .cycle(["Formula.root", "Variable.formula"], leaked: ["Formula": 1, "Variable": 1])
      ) {
        let formula = Formula()
        formula.root = .sum(.number(1), .sum(.variable(Variable(formula)), .number(2)))
      },
      .leak(
        "enum-generic",
        .cycle(["Download.result", "File.download"], leaked: ["Download": 1, "File": 1])
      ) {
        let download = Download()
        download.result = .success(File(download))
      },
      .leak(
        "enum-nested-optional",
        .cycle(["Lamp.cable", "Cable.lamp"], leaked: ["Lamp": 1, "Cable": 1])
      ) {
        let lamp = Lamp()
        lamp.cable = .some(.some(Cable(lamp)))
      },
      .leak(
        "existential-any-object",
        .cycle(["Tab.content", "TabContent.tab"], leaked: ["Tab": 1, "TabContent": 1])
      ) {
        let tab = Tab()
        tab.content = TabContent(tab)
      },
      .leak("existential-any", .cycle(["Slot.value"], leaked: ["Slot": 1])) {
        let slot = Slot()
        slot.value = slot
      },
      .leak("existential-any-of-array", .cycle(["Slot.value"], leaked: ["Slot": 3])) {
        let slots = [Slot(), Slot(), Slot()]
        slots[0].value = slots
      },
      .leak(
        "existential-error-class",
        .cycle(
          ["Attempt.error", "Failure.attempt"],
          leaked: ["Attempt": 1, "Failure": 1])
      ) {
        let attempt = Attempt()
        attempt.error = Failure(attempt)
      },
      .leak("existential-error-struct", .cycle(["Attempt.error"], leaked: ["Attempt": 1])) {
        let attempt = Attempt()
        attempt.error = FailureNote(line: 3, attempt: attempt)
      },
      // Values of more than three words are in a box.
      .leak("existential-boxed", .cycle(["Frame.shape"], leaked: ["Frame": 1])) {
        let frame = Frame()
        frame.shape = BigShape(x: 1, y: 2, width: 3, height: 4, frame: frame)
      },
      .leak("existential-inline", .cycle(["Frame.shape"], leaked: ["Frame": 1])) {
        let frame = Frame()
        frame.shape = SmallShape(x: 1, frame: frame)
      },
      .leak("existential-composition", .cycle(["Frame.named"], leaked: ["Frame": 1])) {
        let frame = Frame()
        frame.named = NamedShape(name: "A", color: 1, alpha: 2, depth: 3, frame: frame)
      },
      .leak("existential-in-existential", .cycle(["Frame.shape"], leaked: ["Frame": 1])) {
        let frame = Frame()
        frame.shape = Group(shapes: (SmallShape(x: 1, frame: nil), SmallShape(x: 2, frame: frame)))
      },
    ]
  }
}

private final class Door {
  enum State {
    case closed
    case open(Guest)
    case locked
  }

  var state = State.closed

  init() { Life.begin(self, "Door") }
  deinit { Life.end("Door") }
}

private final class Guest {
  private let door: Door

  init(_ door: Door) {
    self.door = door
    Life.begin(self, "Guest")
  }
  deinit { Life.end("Guest") }
}

private final class Parcel {
  enum Place {
    case shelf([Int])
    case carried(Courier)
    case returned(Parcel)
    case lost
  }

  var place = Place.lost

  init() { Life.begin(self, "Parcel") }
  deinit { Life.end("Parcel") }
}

private final class Courier {
  private let parcel: Parcel

  init(_ parcel: Parcel) {
    self.parcel = parcel
    Life.begin(self, "Courier")
  }
  deinit { Life.end("Courier") }
}

private final class Order {
  enum Status {
    case new
    case cooking(minutes: Int, Cook, note: String)
    case served(at: Double, by: Cook?)
  }

  var status = Status.new

  init() { Life.begin(self, "Order") }
  deinit { Life.end("Order") }
}

private final class Cook {
  private let order: Order

  init(_ order: Order) {
    self.order = order
    Life.begin(self, "Cook")
  }
  deinit { Life.end("Cook") }
}

private final class Formula {
  indirect enum Term {
    case number(Double)
    case variable(Variable)
    case sum(Term, Term)
  }

  var root = Term.number(0)

  init() { Life.begin(self, "Formula") }
  deinit { Life.end("Formula") }
}

private final class Variable {
  private let formula: Formula

  init(_ formula: Formula) {
    self.formula = formula
    Life.begin(self, "Variable")
  }
  deinit { Life.end("Variable") }
}

private final class Download {
  var result: Result<File, any Error>?

  init() { Life.begin(self, "Download") }
  deinit { Life.end("Download") }
}

private final class File {
  private let download: Download

  init(_ download: Download) {
    self.download = download
    Life.begin(self, "File")
  }
  deinit { Life.end("File") }
}

private final class Lamp {
  var cable: Cable???

  init() { Life.begin(self, "Lamp") }
  deinit { Life.end("Lamp") }
}

private final class Cable {
  private let lamp: Lamp

  init(_ lamp: Lamp) {
    self.lamp = lamp
    Life.begin(self, "Cable")
  }
  deinit { Life.end("Cable") }
}

private final class Tab {
  var content: AnyObject?

  init() { Life.begin(self, "Tab") }
  deinit { Life.end("Tab") }
}

private final class TabContent {
  private let tab: AnyObject

  init(_ tab: Tab) {
    self.tab = tab
    Life.begin(self, "TabContent")
  }
  deinit { Life.end("TabContent") }
}

private final class Slot {
  var value: Any?

  init() { Life.begin(self, "Slot") }
  deinit { Life.end("Slot") }
}

private final class Attempt {
  var error: (any Error)?

  init() { Life.begin(self, "Attempt") }
  deinit { Life.end("Attempt") }
}

private final class Failure: Error {
  private let attempt: Attempt

  init(_ attempt: Attempt) {
    self.attempt = attempt
    Life.begin(self, "Failure")
  }
  deinit { Life.end("Failure") }
}

private struct FailureNote: Error {
  let line: Int
  let attempt: Attempt
}

private protocol Shape {}

private protocol Named {}

private struct BigShape: Shape {
  let x, y, width, height: Double
  let frame: Frame
}

private struct SmallShape: Shape {
  let x: Double
  let frame: Frame?
}

private struct NamedShape: Shape, Named {
  let name: String
  let color, alpha, depth: Int
  let frame: Frame
}

private struct Group: Shape {
  let shapes: (any Shape, any Shape)
}

private final class Frame {
  var shape: (any Shape)?
  var named: (any Shape & Named)?

  init() { Life.begin(self, "Frame") }
  deinit { Life.end("Frame") }
}
