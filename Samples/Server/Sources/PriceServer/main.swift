// A server that streams the prices of a simulated market as server-sent events.
//
// The routes are in PriceRoutes.swift, and the alerts are in AlertSession.swift. Run it with
// REACTIVE_TRACE=log.jsonl to record what every subscription does.

import Foundation
import Hummingbird
import ServiceLifecycle

let arguments: Arguments
do {
  arguments = try Arguments(CommandLine.arguments.dropFirst())
} catch {
  FileHandle.standardError.write(Data("Error: \(error)\n\n\(Arguments.usage)\n".utf8))
  exit(64)
}
if arguments.wantsHelp {
  print(Arguments.usage)
  exit(0)
}

let market = Market(symbols: ["ACME", "BOLT", "CORE"], seed: arguments.seed)
let app = Application(
  router: PriceRoutes(market: market, desk: AlertDesk(), leaks: arguments.leaks).router,
  configuration: ApplicationConfiguration(
    address: .hostname("127.0.0.1", port: arguments.port)),
  services: [market],
  onServerRunning: { channel in
    let port = channel.localAddress?.port ?? 0
    FileHandle.standardOutput.write(Data("Listening on http://127.0.0.1:\(port)\n".utf8))
  })

// SIGTERM and SIGINT end all streams, then the server, then the market. When this file ends, so
// does the process, and the log gets its last line.
var configuration = ServiceGroupConfiguration(
  services: [app], gracefulShutdownSignals: [.sigterm, .sigint], logger: app.logger)
// A client that doesn't read its events must not keep the server from ending.
configuration.maximumGracefulShutdownDuration = .seconds(5)
try await ServiceGroup(configuration: configuration).run()
