#if os(Linux)
  @testable import ProcessMemory
  import Dispatch
  import TestSupport
  import Testing

  @testable import HeapGraph
  @testable import ReactiveTrace

  /// The references that the search for holders finds in objects of libdispatch.
  @Suite(
    "Objects of libdispatch",
    .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
  struct DispatchObjectTests {
    @Test("The layout of the main queue matches the known libdispatch layout")
    func layout() throws {
      let heap = try #require(Heap())
      #expect(heap.dispatch != nil)
      let other = try #require(Heap(followsDispatch: false))
      #expect(other.dispatch == nil)
    }

    @Test(
      "A path from an owner leads through its closure back to the owner",
      arguments: Waiting.allCases)
    fileprivate func cycles(waiting: Waiting) throws {
      let owner = Owner()
      owner.wait(waiting)
      defer { owner.end() }
      let graph = ReferenceGraph(try #require(Heap()))
      let address = Self.address(owner)
      let path = try #require(
        graph.path(from: [address], to: [address], isInTime: { true }), "\(waiting)")
      #expect(path.allSatisfy { $0.reference.isCertain }, "\(waiting): \(path)")
      #expect(path.contains { $0.object.kind == .block } == (waiting != .value), "\(waiting)")
    }

    @Test("Canceled or completed work and weak captures aren't part of a path")
    func ended() throws {
      let owners = [Owner(), Owner(), Owner()]
      for (owner, waiting) in zip(owners, [Waiting.timer, .item, .group]) { owner.wait(waiting) }
      for owner in owners { owner.end() }
      let careful = Owner()
      careful.waitCarefully()
      defer { careful.end() }
      let graph = ReferenceGraph(try #require(Heap()))
      for owner in owners + [careful] {
        let address = Self.address(owner)
        #expect(graph.path(from: [address], to: [address], isInTime: { true }) == nil)
      }
    }

    @Test("Copies of a dispatch source, its state and its block aren't mistaken for the originals")
    func copies() throws {
      let owner = Owner()
      owner.wait(.timer)
      defer { owner.end() }
      let heap = try #require(Heap())
      let graph = ReferenceGraph(heap)
      let address = Self.address(owner)
      let path = try #require(graph.path(from: [address], to: [address], isInTime: { true }))
      let foreign = path.map(\.object).filter { $0.kind == .block || $0.isPartOfDispatch }
      #expect(foreign.count >= 4)
      for object in foreign {
        let size = max(heap.size(of: object), 128)
        let copy = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { copy.deallocate() }
        copy.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let source = try #require(UnsafeRawPointer(bitPattern: object.address))
        copy.copyMemory(from: source, byteCount: heap.size(of: object))
        // Freed objects have no references, and the state of a source belongs to one source.
        if object.kind != .dispatch(.sourceState), object.kind != .dispatch(.item) {
          copy.storeBytes(
            of: object.kind == .block ? 0 : UInt64.max, toByteOffset: 8, as: UInt64.self)
        }
        if object.kind == .dispatch(.item) {
          copy.storeBytes(of: 0, toByteOffset: 32, as: UInt.self)
        }
        heap.memory.forgetPages()
        #expect(heap.object(at: UInt(bitPattern: copy)) == nil, "\(object.kind)")
      }
    }

    @Test(
      "If the libdispatch layout is unknown, the path to an object begins at the block",
      .enabled(if: !isSanitized, "searching the memory of all tests takes minutes"))
    func unknownLibrary() throws {
      for isKnown in [false, true] {
        // Unused memory of the task of another test can contain the address of an object, which
        // then seems to be retained by that task. Each attempt has its objects at other addresses,
        // because those of the earlier attempts are still alive.
        var found: HolderSearch.Path?
        var queues: [DispatchQueue] = []
        defer { for queue in queues { finish(queue) } }
        for _ in 0..<10 {
          let held = Held()
          queues.append(waitingQueue(capturing: held))
          found = try path(to: held, followsDispatch: isKnown)
          if case .task? = found?.root { continue }
          break
        }
        guard case .waiting(let object)? = found?.root else {
          Issue.record("the root is \(String(describing: found?.root))")
          continue
        }
        #expect(object.kind == (isKnown ? .dispatch(.queue) : .block))
        #expect(found?.isProbable == !isKnown)
      }
    }

    /// Returns a suspended queue with a block that captures an object.
    private func waitingQueue(capturing held: Held) -> DispatchQueue {
      let queue = DispatchQueue(label: "unknown", attributes: .initiallyInactive)
      queue.async { withExtendedLifetime(held) {} }
      return queue
    }

    private func finish(_ queue: DispatchQueue) {
      queue.activate()
      queue.sync {}
    }

    /// Returns the path to an object that a block in a suspended queue captures.
    private func path(to held: Held, followsDispatch: Bool) throws -> HolderSearch.Path? {
      let graph = ReferenceGraph(try #require(Heap(followsDispatch: followsDispatch)))
      let index = HolderIndex(graph, stackStart: .max)
      let search = HolderSearch(graph, index, target: Self.address(held))
      for _ in 0..<4 where !search.wanted.isEmpty {
        #expect(index.find(Set(search.wanted), isInTime: { true }))
        search.advance()
      }
      search.stop()
      if followsDispatch, case .waiting(let object)? = search.result?.root {
        let dispatch = try #require(graph.heap.dispatch)
        #expect(dispatch.label(ofQueue: object.address) == "unknown")
        #expect(dispatch.isSuspended(object.address))
      }
      return search.result
    }

    @Test(
      "A path leads to each buffered element of a stream, even after the buffer wraps around")
    func stream() async throws {
      let (stream, continuation) = AsyncStream<Held>.makeStream()
      let owner = ContinuationOwner(continuation)
      for _ in 0..<5 { continuation.yield(Held()) }
      var iterator = stream.makeAsyncIterator()
      for _ in 0..<4 { _ = await iterator.next() }
      let later = (0..<5).map { _ in Held() }
      for held in later { continuation.yield(held) }
      let graph = ReferenceGraph(try #require(Heap()))
      for held in later {
        let path = graph.path(
          from: [Self.address(owner)], to: [Self.address(held)], isInTime: { true })
        #expect(path != nil)
      }
      withExtendedLifetime((owner, stream)) {}
    }

    static func address(_ object: AnyObject) -> UInt {
      UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }
  }

  private final class Held: Sendable {}

  private final class ContinuationOwner {
    let continuation: AsyncStream<Held>.Continuation
    init(_ continuation: AsyncStream<Held>.Continuation) { self.continuation = continuation }
  }

  private enum Waiting: CaseIterable {
    case timer, signal, item, itemNotification, queue, fourth, redirected, group, value
  }

  /// An object that retains itself through libdispatch until `end` is called.
  private final class Owner: @unchecked Sendable {
    private static let key = DispatchSpecificKey<Owner>()
    private var count = 0
    private var source: (any DispatchSourceProtocol)?
    private var item: DispatchWorkItem?
    private var queue: DispatchQueue?
    private var group: DispatchGroup?
    private var suspended: DispatchQueue?
    /// The serial queue for notifications. It releases a block before it runs the next one.
    private let notified = DispatchQueue(label: "notified")

    private func tick() { count += 1 }

    func wait(_ waiting: Waiting) {
      switch waiting {
      case .timer:
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 3600)
        timer.setEventHandler { self.tick() }
        timer.activate()
        source = timer
      case .signal:
        let signal = DispatchSource.makeSignalSource(signal: 28)
        signal.setEventHandler { self.tick() }
        signal.activate()
        source = signal
      case .item:
        item = DispatchWorkItem { self.tick() }
      case .itemNotification:
        let item = DispatchWorkItem {}
        item.notify(queue: notified) { self.tick() }
        self.item = item
      case .queue:
        queue = Self.inactive()
        queue?.async { self.tick() }
      case .fourth:
        queue = Self.inactive()
        for _ in 0..<3 { queue?.async {} }
        queue?.async { self.tick() }
        queue?.async {}
      case .redirected:
        // Work of a concurrent queue waits in its target queue.
        let target = DispatchQueue(label: "target")
        target.suspend()
        suspended = target
        queue = DispatchQueue(label: "redirected", attributes: .concurrent, target: target)
        queue?.async { self.tick() }
      case .group:
        let group = DispatchGroup()
        group.enter()
        group.notify(queue: notified) { self.tick() }
        self.group = group
      case .value:
        queue = DispatchQueue(label: "value")
        queue?.setSpecific(key: DispatchSpecificKey<Int>(), value: 1)
        queue?.setSpecific(key: Self.key, value: self)
        queue?.setSpecific(key: DispatchSpecificKey<Int>(), value: 2)
      }
    }

    func waitCarefully() {
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + 3600)
      timer.setEventHandler { [weak self] in self?.tick() }
      timer.activate()
      source = timer
      item = DispatchWorkItem { [weak self] in self?.tick() }
      queue = Self.inactive()
      queue?.async { [weak self] in self?.tick() }
    }

    private static func inactive() -> DispatchQueue {
      DispatchQueue(label: "inactive", attributes: .initiallyInactive)
    }

    /// Ends all waiting work. When this returns, libdispatch has released the handlers.
    func end() {
      if let source {
        let isCanceled = DispatchSemaphore(value: 0)
        source.setCancelHandler { isCanceled.signal() }
        source.cancel()
        isCanceled.wait()
      }
      source = nil
      item?.perform()
      item = nil
      queue?.setSpecific(key: Self.key, value: nil)
      suspended?.resume()
      suspended = nil
      queue?.activate()
      for _ in 0..<2 { queue?.sync(flags: .barrier) {} }
      queue = nil
      group?.leave()
      group = nil
      for _ in 0..<2 { notified.sync {} }
    }
  }
#endif
