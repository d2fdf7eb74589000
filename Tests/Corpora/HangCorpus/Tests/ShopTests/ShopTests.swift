import Shop
import Testing

@Suite struct ShopTests {
  @Test func lostContinuation() async { #expect(await Store().load(1) == 1) }

  @Test func asyncLet() async { #expect(await checkout(Store()) == 1) }

  @Test func semaphore() async { #expect(await waitInTask() == 1) }

  @Test func actorReentrancy() async { #expect(await Cache().load(2) == 3) }

  @Test func queues() { transfer() }

  @Test func stream() async { #expect(await Feed().sum() == 3) }

  @Test func pool() async { #expect(await blockPool() == 1) }

  @Test func loop() { #expect(search(7) == 0) }

  @Test func child() throws { #expect(try runTool() == 0) }

  @Test func locks() { Accounts().deposit() }

  @Test func circle() async { #expect(await Circle().run() == 1) }

  @Test func mainActor() async { #expect(await Screen().open() == 1) }

  @Test func pipe() throws { #expect(try export() == 1 << 20) }

  @Test func group() async throws { #expect(try await retry() == 3) }

  @Test func receive() { #expect(Connection().readLine() == "hello") }

  @Test func receiveMessage() async { #expect(Connection().readMessage() == 1) }

  @Test func poll() { #expect(Connection().waitForInput()) }

  @Test func socketPool() async { #expect(await fetchAll() == 1) }

  @Test func acceptConnection() { #expect(Listener().serve() > 0) }

  @Test func connection() async { #expect(Listener(backlog: 0).connectClients(8) == 8) }

  @Test func signal() { #expect(waitForSignal() == 12) }

  @Test @MainActor func mainReceive() { #expect(Connection().readLine() == "hello") }

  @Test func fileLock() { #expect(lockFile()) }

  @Test func recordLock() throws { #expect(try lockRecord()) }

  @Test func fifo() { #expect(readOrders() > 0) }

  @Test func barrier() { #expect(meet() == 0) }

  @Test func initializers() { #expect(openCatalog() == 1) }

  @Test func ownInitializer() { #expect(settingsName() == "shop") }

  @Test func initializerQueue() { #expect(countInventory() == 1) }

  @Test func wrapper() async throws { #expect(try await Mailbox().next() == "hello") }

  @Test func namedHelper() async { #expect(await Printer().print() == 1) }

  @Test func leaked() async { #expect(await order() == 1) }

  @Test func sleeping() async throws { #expect(try await heartbeat() == 1) }

  @Test func clockSleep() async throws { #expect(try await waitForClock() == 1) }

  @Test func helperQueues() { #expect(Ledger().book() == 1) }

  @Test func nestedQueues() { #expect(Ledger().settle() == 1) }

  @Test func helperLocks() { Warehouse().pick() }

  @Test func signaler() { #expect(loadAndBlock() == 1) }

  @Test func window() async { #expect(await Window().show() == "shop") }

  @Test func dispatchPool() { #expect(resizeImages() == 1) }

  @Test func queueBarrier() { #expect(flush() == 1) }

  @Test func groupBody() async throws { #expect(try await collect() == 1) }

  @Test func testBody() async throws {
    await withTaskGroup(of: Void.self) { group in
      let (events, feed) = AsyncStream<Int>.makeStream()
      group.addTask { feed.yield(1) }
      for await event in events where event > 1 {  // culprit: testBody
        break
      }
    }
  }

  @Test(arguments: [1, 2]) func arguments(_ number: Int) async {
    #expect(await Meter().read(number) == number)
  }

  @Test func answer() async throws { #expect(try await requestAnswer() == 0) }

  @Test func passes() async { #expect(await Store().load(-1) == 0) }
}
