// swift-tools-version: 6.2

import PackageDescription

// Tests that hang, each for another reason. Tests/Scripts/hangs.py runs one at a time and compares
// the report with the line that is marked with the name of the test.
let package = Package(
  name: "HangCorpus",
  targets: [
    .target(name: "Shop"),
    .testTarget(name: "ShopTests", dependencies: ["Shop"]),
    .testTarget(name: "ShopXCTests", dependencies: ["Shop"]),
  ],
  swiftLanguageModes: [.v6]
)
