// swift-tools-version: 6.2

import PackageDescription

// SwiftPM names a package at a path after its folder, and you may have chosen any name for that.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init)

let package = Package(
  name: "price-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
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
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
