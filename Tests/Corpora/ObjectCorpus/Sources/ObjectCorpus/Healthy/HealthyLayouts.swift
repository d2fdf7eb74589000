extension ObjectCase {
  /// References at places that follow from the layout of something before them.
  static var healthyLayouts: [ObjectCase] {
    [
      // The optimized code that deallocates the context ends with a jump, and its size isn't a
      // constant.
      .healthy("generic-context", alive: ["Item": 5]) {
        for _ in 0..<5 { Jobs.current.schedule(FiveNumbers(), Item()) }
      },
      .healthy("merged-contexts", alive: ["Item": 10]) {
        for _ in 0..<5 { Jobs.current.run(Item(), Item()) }
      },
      .healthy("weak-protocols-in-structure", alive: ["Item": 1]) {
        Layouts.object = WeakLinks.Holder(WeakLinks(delegate: nil, item: Item(), presenter: nil))
      },
      .healthy("unowned-protocols-in-structure", alive: ["Item": 1]) {
        Layouts.delegate = LayoutDelegate()
        guard let delegate = Layouts.delegate else { return }
        Layouts.object = UnownedLinks.Holder(
          UnownedLinks(first: delegate, item: Item(), second: delegate))
      },
      .healthy("weak-composition-in-structure", alive: ["Item": 1]) {
        Layouts.object = CompositionLinks.Holder(
          CompositionLinks(both: nil, item: Item(), presenter: nil))
      },
      .healthy("tuple-of-pointers-in-structure", alive: ["Item": 1]) {
        let pointer = UnsafeRawPointer(bitPattern: 16)
        Layouts.object = TupleLinks.Holder(
          TupleLinks(pointers: (pointer, pointer), item: Item(), presenter: nil))
      },
      .healthy("vector-in-structure", alive: ["Item": 1]) {
        Layouts.object = OuterLinks.Holder(
          OuterLinks(number: 1, links: VectorLinks(presenter: nil, item: Item(), vector: .zero)))
      },
      .healthy("vector-in-generic-structure", alive: ["Item": 1]) {
        Layouts.object = GenericHolder(
          GenericOuterLinks(
            number: 1, links: GenericLinks(item: Item(), presenter: nil, value: SIMD4<Int>.zero)))
      },
      .healthy("noncopyable-in-structure", alive: ["Item": 1]) {
        Layouts.object = NoncopyableLayout(Item())
      },
      // The first words are a class and an odd number, like those of an object.
      .healthy("table-of-classes", alive: ["Item": 5]) {
        let table = UnsafeMutablePointer<ClassEntry>.allocate(capacity: 5)
        for index in 0..<5 {
          (table + index).initialize(to: ClassEntry(type: Layouts.self, uses: 3, item: Item()))
        }
        Layouts.table = table
      },
    ]
  }
}

private struct FiveNumbers {
  var numbers = (1, 2, 3, 4, 5)
}

private final class Jobs {
  static let current = Jobs()

  var all: [() -> Void] = []

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func schedule<Input>(_ input: Input, _ item: Item) {
    all.append {
      _ = opaque(input)
      item.use()
    }
  }

  @inline(never)
  func run(_ first: Item, _ second: Item) {
    all.append {
      first.use()
      second.use()
    }
  }
}

private protocol LayoutProtocol: AnyObject {}
private protocol OtherProtocol: AnyObject {}
private final class LayoutDelegate: LayoutProtocol {}

private struct WeakLinks {
  weak var delegate: (any LayoutProtocol)?
  var item: Item
  weak var presenter: Item?

  final class Holder {
    var links: WeakLinks

    init(_ links: WeakLinks) { self.links = links }
  }
}

private struct UnownedLinks {
  unowned var first: any LayoutProtocol
  var item: Item
  unowned var second: any LayoutProtocol

  final class Holder {
    var links: UnownedLinks

    init(_ links: UnownedLinks) { self.links = links }
  }
}

private struct CompositionLinks {
  weak var both: (any LayoutProtocol & OtherProtocol)?
  var item: Item
  weak var presenter: Item?

  final class Holder {
    var links: CompositionLinks

    init(_ links: CompositionLinks) { self.links = links }
  }
}

private struct TupleLinks {
  var pointers: (UnsafeRawPointer?, UnsafeRawPointer?)
  var item: Item
  weak var presenter: Item?

  final class Holder {
    var links: TupleLinks

    init(_ links: TupleLinks) { self.links = links }
  }
}

private struct VectorLinks {
  weak var presenter: Item?
  var item: Item
  var vector: SIMD4<Int>
}

private struct OuterLinks {
  var number: Int
  var links: VectorLinks

  final class Holder {
    var links: OuterLinks

    init(_ links: OuterLinks) { self.links = links }
  }
}

private struct GenericLinks<Value> {
  var item: Item
  weak var presenter: Item?
  var value: Value
}

private struct GenericOuterLinks<Value> {
  var number: Int
  var links: GenericLinks<Value>
}

private struct NoncopyableLinks: ~Copyable {
  var state: (Bool, Item?)
  weak var presenter: Item?
}

private final class NoncopyableLayout {
  var links: NoncopyableLinks

  init(_ item: Item) { links = NoncopyableLinks(state: (true, item), presenter: nil) }
}

private final class GenericHolder {
  var links: GenericOuterLinks<SIMD4<Int>>

  init(_ links: GenericOuterLinks<SIMD4<Int>>) { self.links = links }
}

private final class Layouts {
  static var object: AnyObject?
  static var delegate: (any LayoutProtocol)?
  static var table: UnsafeMutablePointer<ClassEntry>?
}

private struct ClassEntry {
  var type: Any.Type
  var uses: Int
  var item: Item
}
