import Hummingbird

func runHummingbird(_ port: Int, _ started: @escaping @Sendable () -> Void) async throws {
  let rooms = Rooms()
  let router = Router()
  router.get("rooms") { _, _ in "\(await rooms.count())" }
  router.get("key") { _, _ in "\(rooms.lock())" }
  router.get("menu") { _, _ in "soup" }
  let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
    onServerRunning: { _ in started() })
  try await application.runService()
}
