import Mail
import Testing

@Suite struct MailTests {
  @Test func promise() async throws { #expect(try await Mailbox().fetch(1) == "message") }

  @Test func futureWait() throws { #expect(try Mailbox().fetchAndBlock(1) == "message") }

  @Test func eventLoop() async throws { #expect(try await Attachments().count() == 1) }

  @Test func waitForLoop() throws { #expect(try Attachments().countAndBlock() == 1) }
}
