// swift-tools-version: 6.2

import PackageDescription

// The parts of the page that a report in HTML is, in the order of their names.
let pageFiles = [
  "axis.js",
  "base.css",
  "details.js",
  "format.js",
  "lanes.js",
  "model.js",
  "packing.js",
  "page.js",
  "panel.css",
  "tables.js",
  "timeline.css",
  "view.js",
]

let package = Package(
  name: "reactivekit-trace",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ReactiveKit", targets: ["ReactiveKit"]),
    .library(name: "ReactiveTrace", targets: ["ReactiveTrace"]),
    .executable(name: "trace-viewer", targets: ["trace-viewer"]),
  ],
  targets: [
    .target(name: "ReactiveKit"),
    // The C library of every platform under one name, and a lock that may be held for long.
    .target(name: "SystemLibrary"),
    // What a log says: records, keys, times, JSON. The one thing that recorder and reader share.
    .target(name: "TraceFormat", dependencies: ["SystemLibrary"]),
    // The recorder: all that a traced program links.
    .target(
      name: "ReactiveTrace",
      dependencies: ["ReactiveKit", "SystemLibrary", "TraceFormat", "TraceShims"]),
    // What Swift cannot say: a frame pointer, a variable of a thread, a barrier of the kernel's, code before main.
    .target(name: "TraceShims"),
    // Reading logs, finding leaks, laying out timelines; nothing about terminals.
    .target(
      name: "TraceAnalysis", dependencies: ["AnalysisShims", "SystemLibrary", "TraceFormat"]),
    // What Swift cannot say: vector instructions that look at 64 bytes at once.
    .target(name: "AnalysisShims"),
    // Cells, keys, frames and sessions of a terminal; nothing about logs.
    .target(name: "TerminalUI", dependencies: ["SystemLibrary", "TerminalShims"]),
    // What Swift cannot say: handlers of signals that restore a terminal.
    .target(name: "TerminalShims"),
    .executableTarget(
      name: "trace-viewer",
      dependencies: ["SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat"],
      resources: pageFiles.map { .embedInCode("Documents/Page/\($0)") }),
    .executableTarget(
      name: "search-sample",
      dependencies: ["ReactiveKit", "ReactiveTrace"],
      path: "Samples/SearchBox"),

    .target(
      name: "TestSupport",
      dependencies: ["ReactiveKit", "SystemLibrary", "TestThreads"],
      path: "Tests/TestSupport"),
    // Threads for work that must run at the same time. Apart, because a process that is tested does not link Testing.
    .target(name: "TestThreads", dependencies: ["SystemLibrary"], path: "Tests/TestThreads"),
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
      dependencies: [
        "PseudoTerminals", "ReactiveTrace", "SystemLibrary", "TestThreads", "TraceFormat",
      ],
      path: "Tests/TraceWriterHelper"),
    .testTarget(
      name: "ReactiveTraceTests",
      dependencies: [
        "AllocationCounter", "ReactiveKit", "ReactiveTrace", "TestSupport", "TraceAnalysis",
        "TraceFormat", "TraceWriterHelper",
      ]),
    .testTarget(name: "TraceFormatTests", dependencies: ["TestSupport", "TraceFormat"]),
    .testTarget(
      name: "TraceAnalysisTests",
      dependencies: [
        "AllocationCounter", "ReactiveKit", "ReactiveTrace", "SystemLibrary", "TestSupport",
        "TraceAnalysis", "TraceFormat",
      ]),
    .target(name: "PseudoTerminals", path: "Tests/PseudoTerminals"),
    .testTarget(
      name: "TraceViewerTests",
      dependencies: [
        "AllocationCounter", "PseudoTerminals", "ReactiveTrace", "SystemLibrary", "TerminalUI",
        "TestSupport", "TraceAnalysis", "TraceFormat", "trace-viewer",
      ],
      exclude: ["Screen/Screens"]),
  ],
  swiftLanguageModes: [.v6]
)

// One place for what every target of our own code is built with.
let othersCode = [
  "AnalysisShims", "ClientsInSwift5", "ClientsInSwift6", "TerminalShims", "TraceShims",
]
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
