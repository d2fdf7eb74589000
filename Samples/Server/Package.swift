// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)

let package = Package(
  name: "price-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../.."),
    .package(path: "../../Adapters/TracedServices"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "price-server",
      dependencies: [
        .product(name: "ReactiveKit", package: folder ?? "reactivekit-trace"),
        .product(name: "ReactiveTrace", package: folder ?? "reactivekit-trace"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources/PriceServer",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "observed-server",
      dependencies: [
        .product(name: "ReactiveKit", package: folder ?? "reactivekit-trace"),
        .product(name: "ReactiveTrace", package: folder ?? "reactivekit-trace"),
        .product(name: "TracedLogging", package: "TracedServices"),
        .product(name: "TracedMetrics", package: "TracedServices"),
        .product(name: "TracedServiceLifecycle", package: "TracedServices"),
        .product(name: "TracedSpans", package: "TracedServices"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Sources/ObservedServer",
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
