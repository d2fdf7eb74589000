import Hummingbird
import ReactiveKit
import ReactiveTrace

/// The routes of the server.
struct PriceRoutes: Sendable {
  let market: Market
  let desk: AlertDesk
  let leaks: Bool

  var router: Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: RequestScopes())
    router.get("health", use: health)
    router.get("quote/:symbol", use: quote)
    router.get("prices/:symbol", use: prices)
    router.get("alerts/:symbol", use: alerts)
    return router
  }

  /// Returns the number of alert sessions, as JSON.
  private func health(_ request: Request, _ context: BasicRequestContext) -> Health {
    Health(alertSessions: desk.count)
  }

  /// Returns the current price of a symbol, as JSON.
  private func quote(_ request: Request, _ context: BasicRequestContext) async throws -> Price {
    let feed = try feed(context)
    for await price in feed.first().lane("quote.answer").values { return price }
    throw HTTPError(.serviceUnavailable)
  }

  /// Streams each price of a symbol as an event.
  private func prices(_ request: Request, _ context: BasicRequestContext) throws -> Response {
    let feed = try feed(context)
    return request.streamEvents { stream in
      try await stream.send(feed.lane("prices.client"))
    }
  }

  /// Streams an event each time the price rises above the limit.
  private func alerts(_ request: Request, _ context: BasicRequestContext) throws -> Response {
    let feed = try feed(context)
    let limit = try request.uri.queryParameters.require("above", as: Int.self)
    return request.streamEvents { [desk, leaks] stream in
      let session = desk.open(feed: feed, above: limit)
      let alerts = session.alerts.lane("alerts.client") { "\($0.price)" }
      guard leaks else {
        defer { desk.close(session) }
        return try await stream.send(alerts)
      }
      // The mistake: when the client disconnects, this line throws, and the session stays open.
      try await stream.send(alerts)
      desk.close(session)
    }
  }

  private func feed(_ context: BasicRequestContext) throws -> Market.Feed {
    let symbol = try context.parameters.require("symbol")
    guard let feed = market.feed(of: symbol) else {
      throw HTTPError(.notFound, message: "Unknown symbol '\(symbol)'.")
    }
    return feed
  }
}

/// The state of the server.
struct Health: ResponseEncodable {
  var alertSessions: Int
}
