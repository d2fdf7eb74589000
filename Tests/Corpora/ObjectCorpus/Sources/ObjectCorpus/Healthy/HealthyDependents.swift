extension ObjectCase {
  /// The type of a number depends on generic parameters. It is the address of an object that only a
  /// stack retains.
  static var healthyDependents: [ObjectCase] {
    [
      .healthy("number-of-associated-type", alive: ["Item": 1]) {
        Background.run { ready in
          let item = Item()
          item.link = Gauge(Numbers(), last: item.addressNumber())
          ready.signal()
          Waiting.forever()
          item.use()
        }
      },
      .healthy("number-of-associated-type-of-generic-type", alive: ["Item": 1]) {
        Background.run { ready in
          let item = Item()
          item.link = Gauge(Repeated(Pairs(Numbers())), last: (7, item.addressNumber()))
          ready.signal()
          Waiting.forever()
          item.use()
        }
      },
      .healthy("number-or-never", alive: ["Item": 1]) {
        Background.run { ready in
          let item = Item()
          item.link = Register<Int, Never>(.value(item.addressNumber()))
          ready.signal()
          Waiting.forever()
          item.use()
        }
      },
      .healthy("number-in-capture-of-parameter", alive: ["Item": 1]) {
        Background.run { ready in
          let item = Item()
          item.keep(opaque((item.addressNumber(), 1)))
          ready.signal()
          Waiting.forever()
          item.use()
        }
      },
      // The conditions of other contexts of the same closure don't apply.
      .healthy("captures-of-several-parameters", alive: ["Item": 3]) {
        Background.run { ready in
          let items = [Item(), Item(), Item()]
          items[0].keep(opaque((items[1], 1)))
          items[1].keep(opaque((items[2].addressNumber(), 1)))
          items[2].keep(opaque(Optional(items[1])))
          ready.signal()
          Waiting.forever()
          for item in items { item.use() }
        }
      },
    ]
  }
}

private struct Numbers: Channel {
  typealias Element = Int
}

private final class Gauge<Source: Channel> {
  private let source: Source
  private let last: Source.Element?

  init(_ source: Source, last: Source.Element) { (self.source, self.last) = (source, last) }
}

private final class Register<Value, Failure> {
  private let last: Entry<Value, Failure>

  init(_ last: Entry<Value, Failure>) { self.last = last }
}

extension Item {
  /// Returns the address as a number.
  fileprivate func addressNumber() -> Int {
    Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }

  @inline(never)
  fileprivate func keep<Value>(_ value: Value) {
    action = { _ = opaque(value) }
  }
}
