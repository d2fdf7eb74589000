#if os(Linux)
  import ProcessMemory
  import SystemLibrary
  import SwiftRuntime
  import TestSupport
  import Testing

  @testable import HeapGraph

  private final class Target: Sendable {}

  private protocol Shape {}
  private protocol Listener: AnyObject {}
  private struct Circle: Shape { let center: Target }
  private struct Square: Shape { let sides: (Int, Int, Int, Int) = (1, 2, 3, 4) }
  extension Target: Listener {}
  private struct Fault: Error { let source: Target }

  private enum TwoReferences { case first(Target), second(Target), none }
  private enum Mixed { case target(Target), number(Int), pair(Target, Target), idle }
  private enum Shapes { case one(any Shape), other(any Shape), none }
  private enum OneOf<Left, Right> { case left(Left), right(Right) }
  private indirect enum Chain { case end, link(Target, Chain) }
  private enum Ending<Failure> { case finished, failure(Failure) }
  private enum Event<Value, Failure> { case value(Value), end(Ending<Failure>), shape(any Shape) }
  private struct Pair<First, Second> {
    var first: First
    var second: Second
  }

  private protocol Channel { associatedtype Element }
  private struct Targets: Channel { typealias Element = Target }
  private struct Numbers: Channel { typealias Element = Int }
  private struct Pairs<Base: Channel>: Channel { typealias Element = (Int, Base.Element) }
  private struct Repeated<Base: Channel>: Channel { typealias Element = Base.Element }
  private class TargetChannel: Channel { typealias Element = Target }
  private final class ListedChannel: TargetChannel {}
  private final class Relay<Source: Channel> {
    let last: Source.Element?
    init(_ source: Source.Type, _ last: Source.Element) { self.last = last }
  }

  @inline(never)
  private func capture<Value>(_ value: Value) -> () -> Void {
    { withExtendedLifetime(value) {} }
  }

  @inline(never)
  private func capture<Source: Channel>(
    _ source: Source.Type, _ value: Source.Element
  ) -> () -> Void {
    { withExtendedLifetime(value) {} }
  }

  private final class Holder<Value> {
    let before = 7
    var value: Value
    init(_ value: Value) { self.value = value }

    /// A type whose arguments determine those around it.
    final class Inner<Part> {
      let part: Part
      init(_ part: Part) { self.part = part }
    }
  }

  private final class Padded {
    let time: Double? = 1
    let target: Target
    let isOn = true
    let isOpen = true
    init(_ target: Target) { self.target = target }
  }

  private final class Buffer<Element>: ManagedBuffer<Int, Element> {}

  @Suite("The layouts of values")
  struct ValueLayoutTests {
    /// The memory of this process at a moment. Copies of it are kept.
    private struct Moment {
      let types: ObjectTypes
      let memory: ProcessMemory

      init() throws {
        memory = try #require(ProcessMemory.ofThisProcess)
        var map = try #require(MemoryMap())
        map.markVariables(memory)
        let files = ProcessFiles(ofProcess: getpid(), map)
        types = ObjectTypes(memory, MetadataReader(memory, map)) {
          files.sections($0, isInTime: { true })
        }
      }

      /// Returns the addresses in the words of an object that are certainly strong references.
      func references(at start: UInt) throws -> [UInt] {
        let first = try #require(memory.word(start))
        let description = try #require(types.description(first, ofObject: start))
        return words(of: description.references, at: start).filter { $0 != 0 }
      }

      private func words(of references: [ValueLayout.Reference], at start: UInt) -> [UInt] {
        references.flatMap { reference -> [UInt] in
          let isMet = reference.conditions.allSatisfy { condition in
            let word = memory.word(start &+ UInt(condition.offset)).map { UInt64($0) } ?? 0
            return (word & condition.mask == condition.value) == condition.isEqual
          }
          guard isMet else { return [] }
          let place = start &+ UInt(reference.offset)
          guard reference.kind != .word else {
            return memory.word(place).map { [$0 & 0x0000_FFFF_FFFF_FFF8] } ?? []
          }
          let type = memory.word(place &+ UInt(ExistentialLayout.type)) ?? 0
          let layout = types.layouts.layout(ofType: type & 0x0000_FFFF_FFFF_FFF8)
          return layout.map { words(of: $0.references, at: place) } ?? []
        }
      }
    }

    @Test("Only words with a whole address lead to something, and not the space after a value")
    func padding() throws {
      let padded = Padded(Target())
      let moment = try Moment()
      let metadata = try #require(moment.memory.word(address(padded)))
      let description = try #require(moment.types.description(metadata))
      // The header is 2 words, the number 1, its mark 1, and the reference 1.
      #expect(description.wordsWithoutAddress == 1 << 3 | 1 << 5)
      let kept = Holder(UInt32(7))
      let other = try #require(moment.memory.word(address(kept)).flatMap(moment.types.description))
      #expect(other.wordsWithoutAddress & 1 << 3 != 0)
      withExtendedLifetime((padded, kept)) {}
    }

    @Test("The generic arguments of a class are known, also if its superclass is resilient")
    func arguments() throws {
      let (holder, target) = (Holder(Target()), Target())
      let buffer = Buffer<Target>.create(minimumCapacity: 1) { _ in 0 }
      let moment = try Moment()
      for object in [holder, buffer] as [AnyObject] {
        let metadata = try #require(moment.memory.word(address(object)))
        let arguments = try #require(moment.types.arguments(ofClass: metadata))
        #expect(moment.memory.word(arguments) == moment.memory.word(address(target)))
      }
      withExtendedLifetime((holder, buffer, target)) {}
    }

    private func references(of object: AnyObject) throws -> [UInt] {
      try Moment().references(at: address(object))
    }

    private func references(at start: UInt) throws -> [UInt] {
      try Moment().references(at: start)
    }

    private func address(_ object: AnyObject) -> UInt {
      UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private func expect(
      _ value: some Any, _ targets: [Target], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let holder = Holder(value)
      let found = try references(of: holder)
      #expect(
        found.sorted() == targets.map(address).sorted(), sourceLocation: sourceLocation)
      withExtendedLifetime((holder, targets)) {}
    }

    @Test("References in optionals, tuples and structures are certain")
    func products() throws {
      let (one, two) = (Target(), Target())
      try expect(one, [one])
      try expect(Optional(one), [one])
      try expect(Target?.none, [])
      try expect(Target??.some(one), [one])
      try expect((one, 3, two), [one, two])
      try expect(Optional((7, one)), [one])
      try expect(Pair(first: UInt8(1), second: (two, one)), [one, two])
      try expect(Optional(Pair(first: "text", second: one)), [one])
      try expect(Pair<String, Target>?.none, [])
      try expect(ObjectIdentifier(one), [])
      try expect(Unmanaged.passUnretained(one), [])
    }

    @Test("A case of an enumeration has only its own references")
    func enumerations() throws {
      let (one, two) = (Target(), Target())
      try expect(TwoReferences.first(one), [one])
      try expect(TwoReferences.second(two), [two])
      try expect(TwoReferences.none, [])
      try expect(Mixed.target(one), [one])
      try expect(Mixed.pair(one, two), [one, two])
      try expect(Mixed.number(Int(bitPattern: address(one))), [])
      try expect(Mixed.idle, [])
      try expect(Optional(Mixed.pair(two, one)), [one, two])
      try expect(Mixed?.none, [])
      try expect(OneOf<Target, Int>.left(one), [one])
      try expect(OneOf<Target, Int>.right(Int(bitPattern: address(one))), [])
      try expect(Result<Target, any Error>.success(two), [two])
      try expect(Event<Target, Never>.value(one), [one])
      try expect(Event<Int, Never>.shape(Circle(center: one)), [one])
      try expect(Event<Int, Target>.end(.failure(two)), [two])
      try expect(Event<Int, Never>.end(.finished), [])
    }

    @Test("The payload of an indirect case is in a box")
    func indirect() throws {
      let target = Target()
      let holder = Holder(Chain.link(target, .end))
      let moment = try Moment()
      let box = try #require(try moment.references(at: address(holder)).first)
      #expect(try moment.references(at: box).contains(address(target)))
      // The number of the case, which is less than any address.
      #expect(try references(of: Holder(Chain.end)).allSatisfy { $0 < 4096 })
      withExtendedLifetime((holder, target)) {}
    }

    @Test("A case that is left keeps no certain reference, although its words stay")
    func stale() throws {
      let one = Target()
      let holder = Holder(Shapes.one(Circle(center: one)))
      #expect(try references(of: holder) == [address(one)])
      holder.value = .other(Circle(center: one))
      #expect(try references(of: holder) == [address(one)])
      holder.value = .none
      #expect(try references(of: holder).isEmpty)
      withExtendedLifetime(one) {}
    }

    @Test("The value in an existential container has the references")
    func existentials() throws {
      let one = Target()
      try expect(one as Any, [one])
      try expect(Circle(center: one) as any Shape, [one])
      try expect(Optional<any Shape>.none as (any Shape)?, [])
      try expect(one as any Listener, [one])
      try expect((one as any Listener, 5), [one])
      try expect(one as AnyObject, [one])
    }

    @Test("A function has a reference to its context, if it has one")
    func functions() throws {
      let one = Target()
      let holder = Holder<() -> Void> { withExtendedLifetime(one) {} }
      let context = try #require(try references(of: holder).first)
      #expect(context != 0)
      #expect(try references(of: Holder<(() -> Void)?>(nil)).isEmpty)
    }

    @Test("A parameter of a type in a generic type is found")
    func parameters() throws {
      let (one, two) = (Target(), Target())
      #expect(try references(of: Holder<Int>.Inner(one)) == [address(one)])
      let both = Holder<Target>.Inner((two, Optional(one)))
      #expect(try references(of: both).sorted() == [address(one), address(two)].sorted())
      withExtendedLifetime((one, two, both)) {}
    }

    @Test("An associated type is that of the type that conforms")
    func associatedTypes() throws {
      let one = Target()
      let number = Int(bitPattern: address(one))
      #expect(try references(of: Relay(Targets.self, one)) == [address(one)])
      #expect(try references(of: Relay(Numbers.self, number)).isEmpty)
      #expect(try references(of: Relay(Pairs<Targets>.self, (number, one))) == [address(one)])
      #expect(try references(of: Relay(Pairs<Numbers>.self, (number, number))).isEmpty)
      #expect(
        try references(of: Relay(Repeated<Pairs<Targets>>.self, (number, one))) == [address(one)])
      #expect(try references(of: Relay(ListedChannel.self, one)) == [address(one)])
      withExtendedLifetime(one) {}
    }

    @Test("The types of generic parameters are in the context of a closure")
    func contexts() throws {
      let one = Target()
      let number = Int(bitPattern: address(one))
      func captured(_ closure: @escaping () -> Void) throws -> [UInt] {
        let holder = Holder(closure)
        // A generic type has a closure that calls the other one.
        let caller = try #require(try references(of: holder).first)
        let context = try #require(try references(at: caller).first)
        return try references(at: context)
      }
      #expect(try captured(capture(one)) == [address(one)])
      #expect(try captured(capture(number)).isEmpty)
      #expect(try captured(capture((number, one))) == [address(one)])
      #expect(try captured(capture(Targets.self, one)) == [address(one)])
      #expect(try captured(capture(Pairs<Targets>.self, (number, one))) == [address(one)])
      #expect(try captured(capture(Pairs<Numbers>.self, (number, number))).isEmpty)
      withExtendedLifetime(one) {}
    }

    @Test(
      "The size is the one in the metadata, and that of the parts",
      arguments: [
        Int.self, String.self, [Int].self, Target?.self, (Int, Bool).self, Mixed.self, Shapes.self,
        Result<Target, any Error>.self, OneOf<String, Target>?.self, Pair<UInt8, Double>.self,
        Ending<Never>.self, Event<Int, Never>.self, (() -> Void)?.self, (any Shape)?.self,
        (any Error).self, Chain.self, Bool?.self, Int??.self,
      ] as [Any.Type])
    func sizes(_ type: Any.Type) throws {
      func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
      let moment = try Moment()
      let layout = try #require(
        moment.types.layouts.layout(ofType: Metadata.address(of: type)))
      #expect(layout.size == _openExistential(type, do: size))
    }
  }
#endif
