// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "reactivekit-trace",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ReactiveKit", targets: ["ReactiveKit"]),
    .library(name: "ReactiveTrace", targets: ["ReactiveTrace"]),
    .executable(name: "trace-viewer", targets: ["trace-viewer"]),
    .executable(name: "search-sample", targets: ["search-sample"]),
  ],
  targets: [
    .target(name: "ReactiveKit"),
    // What Swift cannot say: a frame pointer, a variable of a thread, a barrier of the kernel's, code before main.
    .target(name: "TraceShims"),
    .target(name: "ReactiveTrace", dependencies: ["ReactiveKit", "TraceShims"]),
    // What Swift cannot say either: handlers of signals that restore a terminal.
    .target(name: "TerminalShims"),
    .executableTarget(name: "trace-viewer", dependencies: ["ReactiveTrace", "TerminalShims"]),
    .executableTarget(
      name: "search-sample",
      dependencies: ["ReactiveKit", "ReactiveTrace"],
      path: "Samples/SearchBox"),

    .target(
      name: "TestSupport",
      dependencies: ["ReactiveKit", "TestThreads"],
      path: "Tests/TestSupport"),
    // Threads for work that must run at the same time. Apart, because a process that is tested does not link Testing.
    .target(name: "TestThreads", path: "Tests/TestThreads"),
    .testTarget(
      name: "ReactiveKitTests",
      dependencies: [
        "AllocationCounter", "ClientsInSwift5", "ClientsInSwift6", "ReactiveKit", "TestSupport",
        "TestThreads",
      ]),
    // Code as it was written against ReactiveKit 3.x: the same in both language modes, built as clients build it.
    .target(
      name: "ClientsInSwift5",
      dependencies: ["ReactiveKit"],
      path: "Tests/ClientsInSwift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "ClientsInSwift6",
      dependencies: ["ReactiveKit"],
      path: "Tests/ClientsInSwift6",
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    // A process that tests kill, starve of disk space and let exit.
    .executableTarget(
      name: "TraceWriterHelper",
      dependencies: ["PseudoTerminals", "ReactiveTrace", "TestThreads"],
      path: "Tests/TraceWriterHelper"),
    .testTarget(
      name: "ReactiveTraceTests",
      dependencies: [
        "AllocationCounter", "ReactiveKit", "ReactiveTrace", "TestSupport", "TraceWriterHelper",
      ]),
    .target(name: "PseudoTerminals", path: "Tests/PseudoTerminals"),
    .testTarget(
      name: "TraceViewerTests",
      dependencies: [
        "AllocationCounter", "PseudoTerminals", "ReactiveTrace", "TestSupport", "trace-viewer",
      ],
      exclude: ["Views/Screens"]),
  ],
  swiftLanguageModes: [.v6]
)

// One place for what every target of our own code is built with.
let othersCode = ["TraceShims", "TerminalShims", "ClientsInSwift5", "ClientsInSwift6"]
for target in package.targets where !othersCode.contains(target.name) {
  let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Memory for a value inside its owner, as Synchronization.Mutex has it: see Locked.
    .enableExperimentalFeature("RawLayout"),
  ]
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
