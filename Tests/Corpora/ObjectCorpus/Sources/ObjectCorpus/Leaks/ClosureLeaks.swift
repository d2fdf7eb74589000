extension ObjectCase {
  /// An object has a closure that captures the object.
  static var closureLeaks: [ObjectCase] {
    [
      .leak("closure-stored", .cycle(["Button.onTap", "closure.self"], leaked: ["Button": 1])) {
        Button().setUp()
      },
      .leak(
        "closure-two-captures",
        .cycle(["Toolbar.action", "closure.self"], leaked: ["Toolbar": 1, "Badge": 1])
      ) {
        Toolbar().setUp(badge: Badge())
      },
      .leak(
        "closure-capture-list", .cycle(["Canvas.redraw", "closure.view"], leaked: ["Canvas": 1])
      ) {
        let view = Canvas()
        view.redraw = { [view] in view.drawings += 1 }  // closure: closure-capture-list
      },
      .leak(
        "closure-nested",
        .cycle(["Wizard.finish", "closure.next", "closure.self"], leaked: ["Wizard": 1])
      ) {
        Wizard().setUp()
      },
      // The capture list of the inner closure makes the outer one capture the object strongly.
      .leak(
        "closure-weak-in-strong",
        .cycle(["Uploader.start", "closure.self"], leaked: ["Uploader": 1])
      ) {
        Uploader().setUp()
      },
      .leak(
        "closure-guard-let-self",
        .cycle(
          ["Downloader.start", "closure.strongSelf"], leaked: ["Downloader": 1])
      ) {
        let downloader = Downloader()
        downloader.setUp()
      },
      .leak(
        "closure-local-function",
        .cycle(["Metronome.onTick", "closure.self"], leaked: ["Metronome": 1])
      ) {
        Metronome().setUp()
      },
      .leak(
        "closure-method-reference",
        .cycle(["Slider.onChange", "closure.self"], leaked: ["Slider": 1])
      ) {
        Slider().setUp()
      },
      .leak(
        "closure-method-of-another",
        .cycle(
          ["Form.validate", "closure.self", "Validator.form"], leaked: ["Form": 1, "Validator": 1])
      ) {
        let form = Form()
        let validator = Validator(form: form)
        form.validate = validator.check  // closure: closure-method-of-another
      },
      .leak(
        "closure-async", .cycle(["ArticlePage.load", "closure.self"], leaked: ["ArticlePage": 1])
      ) {
        ArticlePage().setUp()
      },
      .leak(
        "closure-throwing", .cycle(["Importer.parse", "closure.self"], leaked: ["Importer": 1])
      ) {
        Importer().setUp()
      },
      .leak(
        "closure-autoclosure", .cycle(["Meter.reading", "closure.self"], leaked: ["Meter": 1])
      ) {
        Meter().setUp()
      },
      .leak(
        "closure-key-path", .cycle(["Settings.read", "closure.self"], leaked: ["Settings": 1])
      ) {
        Settings().setUp()
      },
      .leak(
        "closure-lazy", .cycle(["Header.makeTitle", "closure.self"], leaked: ["Header": 1])
      ) {
        _ = Header().makeTitle()
      },
      .leak(
        "closure-of-two-objects",
        .cycle(
          ["Login.onSuccess", "closure.home", "Home.onLogout", "closure.login"],
          leaked: ["Login": 1, "Home": 1])
      ) {
        let login = Login()
        let home = Home()
        login.onSuccess = { home.visits += 1 }  // closure: closure-of-two-objects
        home.onLogout = { login.attempts = 0 }
      },
      .leak(
        "closure-in-subclass",
        .cycle(["Control.handler", "closure.self"], leaked: ["Checkbox": 1])
      ) {
        Checkbox().setUp()
      },
    ]
  }
}

private final class Button {
  var onTap: (() -> Void)?
  private var taps = 0

  init() { Life.begin(self, "Button") }
  deinit { Life.end("Button") }

  func setUp() {
    onTap = { self.taps += 1 }  // closure: closure-stored
  }
}

private final class Badge {
  var number = 0

  init() { Life.begin(self, "Badge") }
  deinit { Life.end("Badge") }
}

private final class Toolbar {
  private var action: () -> Void = {}
  private var shown = 0

  init() { Life.begin(self, "Toolbar") }
  deinit { Life.end("Toolbar") }

  func setUp(badge: Badge) {
    action = {  // closure: closure-two-captures
      badge.number += 1
      self.shown = badge.number
    }
  }
}

private final class Canvas {
  var redraw: (() -> Void)?
  var drawings = 0

  init() { Life.begin(self, "Canvas") }
  deinit { Life.end("Canvas") }
}

private final class Wizard {
  private var finish: () -> Void = {}
  private var page = 0

  init() { Life.begin(self, "Wizard") }
  deinit { Life.end("Wizard") }

  func setUp() {
    let next = makeNext()
    finish = {  // closure: closure-nested
      next()
      next()
    }
  }

  @inline(never)
  private func makeNext() -> () -> Void { { self.page += 1 } }
}

private func later(_ work: @escaping () -> Void) { work() }

private final class Uploader {
  private var start: () -> Void = {}
  private var sent = 0

  init() { Life.begin(self, "Uploader") }
  deinit { Life.end("Uploader") }

  func setUp() {
    start = { [self] in  // closure: closure-weak-in-strong
      later { [weak self] in self?.sent += 1 }
    }
  }
}

private final class Downloader {
  private var start: () -> Void = {}
  private var received = 0

  init() { Life.begin(self, "Downloader") }
  deinit { Life.end("Downloader") }

  func setUp() {
    let prepare = { [weak self] in
      guard let strongSelf = self else { return }
      strongSelf.start = { strongSelf.received += 1 }  // closure: closure-guard-let-self
    }
    prepare()
  }
}

private final class Metronome {
  private var onTick: (() -> Void)?
  private var ticks = 0

  init() { Life.begin(self, "Metronome") }
  deinit { Life.end("Metronome") }

  func setUp() {
    func tick() { self.ticks += 1 }  // closure: closure-local-function
    onTick = tick
  }
}

private final class Slider {
  private var onChange: ((Double) -> Void)?
  private var value = 0.0

  init() { Life.begin(self, "Slider") }
  deinit { Life.end("Slider") }

  func setUp() {
    onChange = changed  // closure: closure-method-reference
  }

  private func changed(_ new: Double) { value = new }
}

private final class Form {
  var validate: (() -> Bool)?

  init() { Life.begin(self, "Form") }
  deinit { Life.end("Form") }
}

private final class Validator {
  private let form: Form

  init(form: Form) {
    self.form = form
    Life.begin(self, "Validator")
  }
  deinit { Life.end("Validator") }

  func check() -> Bool { form.validate != nil }
}

private final class ArticlePage {
  private var load: (() async -> Void)?
  private var loads = 0

  init() { Life.begin(self, "ArticlePage") }
  deinit { Life.end("ArticlePage") }

  func setUp() {
    load = {  // closure: closure-async
      await Task.yield()
      self.loads += 1
    }
  }
}

private final class Importer {
  private struct BadInput: Error {}

  private var parse: ((String) throws -> Int)?
  private var lines = 0

  init() { Life.begin(self, "Importer") }
  deinit { Life.end("Importer") }

  func setUp() {
    parse = { text in  // closure: closure-throwing
      guard let number = Int(text) else { throw BadInput() }
      self.lines += 1
      return number
    }
  }
}

private final class Meter {
  private var reading: (() -> Int)?
  private var current = 0

  init() { Life.begin(self, "Meter") }
  deinit { Life.end("Meter") }

  func setUp() {
    use(self.current + 1)  // closure: closure-autoclosure
  }

  private func use(_ value: @autoclosure @escaping () -> Int) { reading = value }
}

private final class Settings {
  private var read: (() -> String)?
  private var theme = "light"

  init() { Life.begin(self, "Settings") }
  deinit { Life.end("Settings") }

  func setUp() {
    let path = opaque(\Settings.theme)
    read = { self[keyPath: path] }  // closure: closure-key-path
  }
}

private final class Header {
  lazy var makeTitle: () -> String = { "Page \(self.page)" }  // closure: closure-lazy
  private var page = 1

  init() { Life.begin(self, "Header") }
  deinit { Life.end("Header") }
}

private final class Login {
  var onSuccess: (() -> Void)?
  var attempts = 0

  init() { Life.begin(self, "Login") }
  deinit { Life.end("Login") }
}

private final class Home {
  var onLogout: (() -> Void)?
  var visits = 0

  init() { Life.begin(self, "Home") }
  deinit { Life.end("Home") }
}

private class Control {
  var handler: (() -> Void)?
}

private final class Checkbox: Control {
  private var isChecked = false

  override init() {
    super.init()
    Life.begin(self, "Checkbox")
  }
  deinit { Life.end("Checkbox") }

  func setUp() {
    handler = { self.isChecked.toggle() }  // closure: closure-in-subclass
  }
}
