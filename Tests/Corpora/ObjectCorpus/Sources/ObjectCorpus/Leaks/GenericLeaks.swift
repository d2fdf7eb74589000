extension ObjectCase {
  /// The classes of the objects are generic.
  static var genericLeaks: [ObjectCase] {
    [
      .leak(
        "generic-one-parameter",
        .cycle(["Chain.next", "Chain.next"], leaked: ["Chain": 2])
      ) {
        let first = Chain(value: 1)
        first.next = Chain(value: 2)
        first.next?.next = first
      },
      .leak(
        "generic-two-parameters",
        .cycle(["Relation.owner", "Tenant.relation"], leaked: ["Relation": 1, "Tenant": 1])
      ) {
        let tenant = Tenant()
        tenant.relation = Relation(number: 7, owner: tenant)
      },
      .leak(
        "generic-nested-in-struct",
        .cycle(["Catalog.Entry.owner", "Librarian.entry"], leaked: ["Entry": 1, "Librarian": 1])
      ) {
        let librarian = Librarian()
        librarian.entry = Catalog<String>.Entry(title: "A", owner: librarian)
      },
      .leak(
        "generic-class-constraint",
        .cycle(["StrongLink.target", "Anchor.link"], leaked: ["StrongLink": 1, "Anchor": 1])
      ) {
        let anchor = Anchor()
        anchor.link = StrongLink(anchor)
      },
      .leak(
        "generic-superclass",
        .cycle(
          ["ViewModel.state", "DetailState.model"], leaked: ["DetailModel": 1, "DetailState": 1])
      ) {
        let model = DetailModel()
        model.state = DetailState(model)
      },
      .leak(
        "generic-large-value",
        .cycle(["Register.value", "Cashier.register"], leaked: ["Register": 1, "Cashier": 1])
      ) {
        let cashier = Cashier()
        cashier.register = Register(value: ("a", 1, 2.0, cashier))
      },
      // The property is after a value whose size depends on the generic argument.
      .leak(
        "generic-offset",
        .cycle(["Envelope.sender", "Sender.sent"], leaked: ["Envelope": 1, "Sender": 1])
      ) {
        let sender = Sender()
        sender.sent = Envelope<(Int8, String)>(content: (1, "A"), sender: sender)
      },
      .leak(
        "generic-type-erased",
        .cycle(
          ["AnySource.base", "SourceBox.source", "NumberSource.erased"],
          leaked: ["AnySource": 1, "SourceBox": 1, "NumberSource": 1])
      ) {
        let source = NumberSource()
        source.erased = AnySource(source)
      },
      .leak(
        "generic-pack",
        .cycle(["Bundle.items", "Porter.bundle"], leaked: ["Bundle": 1, "Porter": 1])
      ) {
        let porter = Porter()
        porter.bundle = Bundle(1, "A", porter)
      },
    ]
  }
}

private final class Chain<Value> {
  private let value: Value
  var next: Chain<Value>?

  init(value: Value) {
    self.value = value
    Life.begin(self, "Chain")
  }
  deinit { Life.end("Chain") }
}

private final class Relation<Key: Hashable, Owner> {
  private let number: Key
  private let owner: Owner

  init(number: Key, owner: Owner) {
    self.number = number
    self.owner = owner
    Life.begin(self, "Relation")
  }
  deinit { Life.end("Relation") }
}

private final class Tenant {
  var relation: Relation<Int, Tenant>?

  init() { Life.begin(self, "Tenant") }
  deinit { Life.end("Tenant") }
}

private struct Catalog<Title> {
  final class Entry {
    private let title: Title
    private let owner: Librarian

    init(title: Title, owner: Librarian) {
      self.title = title
      self.owner = owner
      Life.begin(self, "Entry")
    }
    deinit { Life.end("Entry") }
  }
}

private final class Librarian {
  var entry: Catalog<String>.Entry?

  init() { Life.begin(self, "Librarian") }
  deinit { Life.end("Librarian") }
}

private final class StrongLink<Target: AnyObject> {
  private let target: Target?

  init(_ target: Target) {
    self.target = target
    Life.begin(self, "StrongLink")
  }
  deinit { Life.end("StrongLink") }
}

private final class Anchor {
  var link: StrongLink<Anchor>?

  init() { Life.begin(self, "Anchor") }
  deinit { Life.end("Anchor") }
}

private class ViewModel<State> {
  var state: State?
}

private final class DetailModel: ViewModel<DetailState> {
  override init() {
    super.init()
    Life.begin(self, "DetailModel")
  }
  deinit { Life.end("DetailModel") }
}

private final class DetailState {
  private let model: ViewModel<DetailState>

  init(_ model: ViewModel<DetailState>) {
    self.model = model
    Life.begin(self, "DetailState")
  }
  deinit { Life.end("DetailState") }
}

private final class Register<Value> {
  private let value: Value

  init(value: Value) {
    self.value = value
    Life.begin(self, "Register")
  }
  deinit { Life.end("Register") }
}

private final class Cashier {
  var register: Register<(String, Int, Double, Cashier)>?

  init() { Life.begin(self, "Cashier") }
  deinit { Life.end("Cashier") }
}

private final class Envelope<Content> {
  private let content: Content
  private let sender: Sender

  init(content: Content, sender: Sender) {
    self.content = content
    self.sender = sender
    Life.begin(self, "Envelope")
  }
  deinit { Life.end("Envelope") }
}

private final class Sender {
  var sent: AnyObject?

  init() { Life.begin(self, "Sender") }
  deinit { Life.end("Sender") }
}

private protocol Source<Output> {
  associatedtype Output
  func next() -> Output
}

private class AnySourceBase<Output> {
  func next() -> Output { fatalError("A subclass overrides this.") }
}

private final class SourceBox<Wrapped: Source>: AnySourceBase<Wrapped.Output> {
  private let source: Wrapped

  init(_ source: Wrapped) {
    self.source = source
    super.init()
    Life.begin(self, "SourceBox")
  }
  deinit { Life.end("SourceBox") }

  override func next() -> Wrapped.Output { source.next() }
}

private final class AnySource<Output> {
  private let base: AnySourceBase<Output>

  init(_ source: some Source<Output>) {
    base = SourceBox(source)
    Life.begin(self, "AnySource")
  }
  deinit { Life.end("AnySource") }
}

private final class NumberSource: Source {
  var erased: AnySource<Int>?

  init() { Life.begin(self, "NumberSource") }
  deinit { Life.end("NumberSource") }

  func next() -> Int { 1 }
}

private final class Bundle<each Item> {
  private let items: (repeat each Item)

  init(_ items: repeat each Item) {
    self.items = (repeat each items)
    Life.begin(self, "Bundle")
  }
  deinit { Life.end("Bundle") }
}

private final class Porter {
  var bundle: AnyObject?

  init() { Life.begin(self, "Porter") }
  deinit { Life.end("Porter") }
}
