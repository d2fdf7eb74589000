import Testing

@testable import HeapGraph
@testable import ReactiveTrace
@testable import SwiftRuntime

@Suite("C blocks")
struct BlockTests {
  @Test(
    "A mangled type name with a block is recognized",
    arguments: ["yyXB", "yyXBSg", "SaySiSgyyXBG", "4main3RowCyyXB", "\u{1}abcdyyXB", "0XB"])
  func blocks(name: String) {
    #expect(MangledName(Array(name.utf8)).containsBlock)
  }

  @Test(
    "Identifiers and addresses that look like a block aren't mistaken for one",
    arguments: [
      "", "X", "B", "yyc", "yyXC", "4main3AXBC", "\u{1}aXBd", "\u{18}aXBbcdef", "9XB", "99999XB",
    ])
  func others(name: String) {
    #expect(!MangledName(Array(name.utf8)).containsBlock)
  }

  #if os(Linux)
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
  #endif
}

#if os(Linux)
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
