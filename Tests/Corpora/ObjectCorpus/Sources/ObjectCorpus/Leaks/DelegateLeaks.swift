extension ObjectCase {
  /// Objects that should have a weak or unowned reference have a strong one.
  static var delegateLeaks: [ObjectCase] {
    [
      .leak(
        "delegate-strong",
        .cycle(["Screen.presenter", "Presenter.view"], leaked: ["Screen": 1, "Presenter": 1])
      ) {
        let screen = Screen()
        screen.presenter = Presenter(view: screen)
      },
      .leak(
        "delegate-protocol",
        .cycle(
          ["TableView.delegate", "TableController.table"],
          leaked: ["TableView": 1, "TableController": 1])
      ) {
        let table = TableView()
        table.delegate = TableController(table: table)
      },
      .leak(
        "delegate-array",
        .cycle(["Video.delegates", "Subtitles.video"], leaked: ["Video": 1, "Subtitles": 2])
      ) {
        let video = Video()
        for _ in 0..<2 { video.delegates.append(Subtitles(video: video)) }
      },
      .leak(
        "delegate-itself", .cycle(["TextField.delegate"], leaked: ["TextField": 1])
      ) {
        let field = TextField()
        field.delegate = field
      },
      .leak(
        "parent-and-children",
        .cycle(["Folder.children", "Document.parent"], leaked: ["Folder": 1, "Document": 3])
      ) {
        let folder = Folder()
        for _ in 0..<3 { folder.children.append(Document(parent: folder)) }
      },
      .leak(
        "unowned-and-strong",
        .cycle(["Customer.card", "CreditCard.holder"], leaked: ["Customer": 1, "CreditCard": 1])
      ) {
        let customer = Customer()
        customer.card = CreditCard(owner: customer, holder: customer)
      },
      .leak(
        "weak-and-detour",
        .cycle(
          ["Coordinator.stack", "PageStack.top", "TopPage.coordinator"],
          leaked: ["Coordinator": 1, "PageStack": 1, "TopPage": 1])
      ) {
        let coordinator = Coordinator()
        coordinator.stack.top = TopPage(coordinator)
      },
      // A collection of weak references, whose box also has a strong one.
      .leak(
        "weak-box-with-strong-field",
        .cycle(["Hub.listeners", "Ear.hub"], leaked: ["Hub": 1, "Ear": 1])
      ) {
        let hub = Hub()
        hub.add(Ear(hub: hub))
      },
      .leak(
        "visitor",
        .cycle(
          ["Tree.visitor", "Visitor.path"], leaked: ["Tree": 1, "Visitor": 1])
      ) {
        let tree = Tree()
        let visitor = Visitor()
        tree.accept(visitor)
      },
    ]
  }
}

private final class Screen {
  var presenter: Presenter?

  init() { Life.begin(self, "Screen") }
  deinit { Life.end("Screen") }
}

private final class Presenter {
  private let view: Screen

  init(view: Screen) {
    self.view = view
    Life.begin(self, "Presenter")
  }
  deinit { Life.end("Presenter") }
}

private protocol TableDelegate: AnyObject {}

private final class TableView {
  var delegate: (any TableDelegate)?

  init() { Life.begin(self, "TableView") }
  deinit { Life.end("TableView") }
}

private final class TableController: TableDelegate {
  private let table: TableView

  init(table: TableView) {
    self.table = table
    Life.begin(self, "TableController")
  }
  deinit { Life.end("TableController") }
}

private protocol VideoDelegate {}

private final class Video {
  var delegates: [any VideoDelegate] = []

  init() { Life.begin(self, "Video") }
  deinit { Life.end("Video") }
}

private final class Subtitles: VideoDelegate {
  private let video: Video

  init(video: Video) {
    self.video = video
    Life.begin(self, "Subtitles")
  }
  deinit { Life.end("Subtitles") }
}

private protocol TextFieldDelegate: AnyObject {}

private final class TextField: TextFieldDelegate {
  var delegate: (any TextFieldDelegate)?

  init() { Life.begin(self, "TextField") }
  deinit { Life.end("TextField") }
}

private final class Folder {
  var children: [Document] = []

  init() { Life.begin(self, "Folder") }
  deinit { Life.end("Folder") }
}

private final class Document {
  private let parent: Folder

  init(parent: Folder) {
    self.parent = parent
    Life.begin(self, "Document")
  }
  deinit { Life.end("Document") }
}

private final class Customer {
  var card: CreditCard?

  init() { Life.begin(self, "Customer") }
  deinit { Life.end("Customer") }
}

private final class CreditCard {
  private unowned let owner: Customer
  private let holder: Customer

  init(owner: Customer, holder: Customer) {
    self.owner = owner
    self.holder = holder
    Life.begin(self, "CreditCard")
  }
  deinit { Life.end("CreditCard") }
}

private final class Coordinator {
  let stack: PageStack

  init() {
    stack = PageStack()
    Life.begin(self, "Coordinator")
    stack.delegate = self
  }
  deinit { Life.end("Coordinator") }
}

private final class PageStack {
  weak var delegate: Coordinator?
  var top: TopPage?

  init() { Life.begin(self, "PageStack") }
  deinit { Life.end("PageStack") }
}

private final class TopPage {
  private let coordinator: Coordinator

  init(_ coordinator: Coordinator) {
    self.coordinator = coordinator
    Life.begin(self, "TopPage")
  }
  deinit { Life.end("TopPage") }
}

private struct WeakBox {
  weak var object: Ear?
  let original: Ear
}

private final class Hub {
  private var listeners: [WeakBox] = []

  init() { Life.begin(self, "Hub") }
  deinit { Life.end("Hub") }

  func add(_ ear: Ear) { listeners.append(WeakBox(object: ear, original: ear)) }
}

private final class Ear {
  private let hub: Hub

  init(hub: Hub) {
    self.hub = hub
    Life.begin(self, "Ear")
  }
  deinit { Life.end("Ear") }
}

private final class Tree {
  private var visitor: Visitor?

  init() { Life.begin(self, "Tree") }
  deinit { Life.end("Tree") }

  func accept(_ visitor: Visitor) {
    self.visitor = visitor
    visitor.path.append(self)
  }
}

private final class Visitor {
  var path: [Tree] = []

  init() { Life.begin(self, "Visitor") }
  deinit { Life.end("Visitor") }
}
