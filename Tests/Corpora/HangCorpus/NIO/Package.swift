// swift-tools-version: 6.2

import PackageDescription

// Tests that hang in code that uses SwiftNIO. Tests/Scripts/hangs.py --nio runs them.
let package = Package(
  name: "NIOHangCorpus",
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0")
  ],
  targets: [
    .target(
      name: "Mail",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(name: "MailTests", dependencies: ["Mail"]),
  ],
  swiftLanguageModes: [.v6]
)
