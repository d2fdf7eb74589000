#if os(Linux)
  import Testing

  @testable import HeapGraph
  @testable import ReactiveTrace
  @testable import SwiftRuntime

  @Suite("C blocks")
  struct BlockTests {
    @Test("A search skips blocks in fields and closures and finds the other fields")
    func fields() throws {
      let owner = BlockOwner()
      let heap = try #require(Heap())
      let graph = ReferenceGraph(heap)
      let object = try #require(heap.object(at: Self.address(owner)))
      for named in [false, true] {
        let targets = graph.references(from: object, named: named).map(\.target)
        #expect(targets.contains(Self.address(owner.held)))
      }
      // Visits everything that is reachable, including the closure.
      #expect(graph.path(from: [object.address], to: [1], isInTime: { true }) == nil)
      withExtendedLifetime(owner) {}
    }

    private static func address(_ object: AnyObject) -> UInt {
      UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }
  }

  private final class Held {}

  /// An object with blocks in its fields and in a closure. It doesn't have collections or generic
  /// types of blocks because those crash a program by themselves.
  private final class BlockOwner {
    typealias Block = @convention(block) () -> Void
    private let block: Block = {}
    private let optional: Block? = {}
    private let tuple: (Int, Block) = (1, {})
    private let closure: () -> Void
    let held = Held()

    init() {
      let block: Block = {}
      let optional: Block? = block
      closure = {
        block()
        optional?()
      }
    }
  }
#endif
