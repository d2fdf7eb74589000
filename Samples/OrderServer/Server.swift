/// A shop with its clients.
struct Server {
  private let shop: Shop
  private let makesMistakes: Bool

  init(makesMistakes: Bool) {
    shop = Shop(bank: Bank(makesMistakes: makesMistakes))
    self.makesMistakes = makesMistakes
  }

  /// Serves standard input, and connections until standard input ends. Returns the exit code after
  /// all orders have ended.
  func run(_ listener: Listener?) async -> Int32 {
    await withDiscardingTaskGroup { group in
      if let listener {
        Client.console.send("Listening on 127.0.0.1:\(listener.port)")
        group.addTask(name: "connections") { await serve(listener) }
      }
      let badRequests = await session(with: .console).run()
      listener?.stop()
      return badRequests == 0 ? 0 : 65
    }
  }

  private func serve(_ listener: Listener) async {
    await withDiscardingTaskGroup { group in
      for await client in listener.clients {
        group.addTask(name: client.name) { _ = await session(with: client).run() }
      }
      // Sessions end when they are canceled.
      group.cancelAll()
    }
  }

  private func session(with client: Client) -> Session {
    Session(client: client, shop: shop, makesMistakes: makesMistakes)
  }
}
