// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)
let reactiveKit = Target.Dependency.product(
  name: "ReactiveKit", package: folder ?? "reactivekit-trace")
let reactiveTrace = Target.Dependency.product(
  name: "ReactiveTrace", package: folder ?? "reactivekit-trace")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
  name: "TracedServices",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "TracedLogging", targets: ["TracedLogging"]),
    .library(name: "TracedMetrics", targets: ["TracedMetrics"]),
    .library(name: "TracedSpans", targets: ["TracedSpans"]),
    .library(name: "TracedServiceLifecycle", targets: ["TracedServiceLifecycle"]),
  ],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    .target(name: "TracedLogging", dependencies: [logging, reactiveTrace]),
    .target(name: "TracedMetrics", dependencies: [coreMetrics, reactiveTrace]),
    .target(name: "TracedSpans", dependencies: [tracing, reactiveTrace]),
    .target(
      name: "TracedServiceLifecycle",
      dependencies: ["TracedLogging", lifecycle, logging, reactiveTrace]),
    .testTarget(
      name: "TracedServicesTests",
      dependencies: [
        "TracedLogging", "TracedMetrics", "TracedSpans", "TracedServiceLifecycle",
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        logging, coreMetrics, tracing, lifecycle, reactiveKit, reactiveTrace,
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
