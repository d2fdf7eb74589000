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

  @Test func passes() async { #expect(await Store().load(-1) == 0) }
}
