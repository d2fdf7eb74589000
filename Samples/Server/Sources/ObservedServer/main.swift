// A server whose logs, gauges, spans and end know about subscriptions. It uses the four adapters in
// Adapters/TracedServices, with the backends of their libraries that keep everything in memory.
//
//     REACTIVE_TRACE=log.jsonl .build/debug/observed-server [--port 8080] [--strict]
//
// With --strict, the server exits with 1 if a subscription isn't disposed when it shuts down.

import Foundation
import Hummingbird
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import ReactiveKit
import ReactiveTrace
import ServiceLifecycle
import Synchronization
import TracedLogging
import TracedMetrics
import TracedServiceLifecycle
import TracedSpans
import Tracing

let options = CommandLine.arguments
let port = options.firstIndex(of: "--port").flatMap { Int(options[$0 + 1]) } ?? 8080

let spans = InMemoryTracer()
let gauges = TestMetrics()
InstrumentationSystem.bootstrap(TracedTracer(spans))
MetricsSystem.bootstrap(gauges)
LoggingSystem.bootstrap {
  MultiplexLogHandler([StreamLogHandler.standardError(label: $0), TraceLogHandler($0)])
}
let logger = Logger(label: "server")
let metrics = TraceMetrics()

let prices = ReplayOneSubject<Int, Never>()
prices.send(100)
/// The mistake: nothing ends these when their clients go away.
let watches = Mutex<[any Disposable & Sendable]>([])

let router = Router()
router.add(middleware: TracingMiddleware())
router.get("quote") { _, _ in
  logger.info("quote", metadata: ["symbol": "ACME"])
  return try await Trace.withScope("look up") {
    for await price in prices.first().lane("quote").values { return "\(price)" }
    throw HTTPError(.serviceUnavailable)
  }
}
router.get("watch") { _, _ in
  let watch = prices.lane("watch").observeNext { _ in }
  watches.withLock { $0.append(watch) }
  return "watching"
}
router.get("gauges") { _, _ in
  await metrics.record()
  let all = gauges.recorders(label: "reactivekit.subscriptions.active")
  return all.map { "\($0.dimensions[0].1) \(Int($0.lastValue ?? -1))\n" }.sorted().joined()
}
// The finished spans: ID, ID of the parent, log, scope, name.
router.get("spans") { _, _ in
  spans.finishedSpans.map { span in
    var (scope, log) = ("-", "-")
    if case .int64(let number)? = span.attributes.get("reactivekit.scope") { scope = "\(number)" }
    if case .string(let id)? = span.attributes.get("reactivekit.log") { log = id }
    return "\(span.spanID) \(span.parentSpanID ?? "-") \(log) \(scope) \(span.operationName)\n"
  }.joined()
}

let app = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
  onServerRunning: { channel in
    let port = channel.localAddress?.port ?? 0
    FileHandle.standardOutput.write(Data("Listening on http://127.0.0.1:\(port)\n".utf8))
  }, logger: Logger(label: "hummingbird") { _ in SwiftLogNoOpLogHandler() })
let group = ServiceGroup(
  services: [
    // The first one is the last that shuts down.
    TraceService(logger: logger, failsIfUndisposed: options.contains("--strict")),
    ClosureService {
      try? await cancelWhenGracefulShutdown { try await metrics.run(every: .seconds(10)) }
    },
    app,
  ], gracefulShutdownSignals: [.sigterm, .sigint], logger: app.logger)
do {
  try await group.run()
} catch {
  FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
  exit(1)
}
