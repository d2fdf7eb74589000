// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "reactivekit-trace",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ReactiveKit", targets: ["ReactiveKit"]),
    .library(name: "ReactiveTrace", targets: ["ReactiveTrace", "LinkedCauses"]),
    .library(name: "TaskInspection", targets: ["TaskInspection", "LeakDetection"]),
    .library(name: "TraceTesting", targets: ["TraceTesting"]),
    .executable(name: "trace-viewer", targets: ["trace-viewer"]),
  ],
  traits: [
    .default(enabledTraits: ["Causes"]),
    .trait(
      name: "Causes",
      description: """
        Search for what keeps subscriptions, tasks and objects alive, and for source locations. \
        Without it, programs with ReactiveTrace are smaller and built faster.
        """),
  ],
  targets: [
    // Signals, operators and observable collections.
    .target(name: "ReactiveKit"),
    // The recorder: operators, log files and sinks. It gets the reasons of leaks from TraceCauses,
    // which it doesn't depend on, so that both are compiled at the same time.
    .target(
      name: "ReactiveTrace",
      dependencies: ["CRuntime", "ReactiveKit", "SwiftRuntime", "SystemLibrary", "TraceFormat"]),
    // Why subscriptions, tasks and objects are alive: it describes the objects of ReactiveKit to
    // the searches of the engine, and turns what they find into facts.
    .target(
      name: "TraceCauses",
      dependencies: [
        "CRuntime", "CodeLocations", "HeapGraph", "ProcessMemory", "ReactiveKit", "SwiftRuntime",
        "SystemLibrary", "TaskInspection", "TraceFormat",
      ],
      path: "Sources/Causes/TraceCauses"),
    // Makes programs link TraceCauses.
    .target(
      name: "LinkedCauses",
      dependencies: [.target(name: "TraceCauses", condition: .when(traits: ["Causes"]))],
      path: "Sources/Causes/LinkedCauses"),
    // Traits for Swift Testing, which only test targets can link.
    .target(
      name: "TraceTesting",
      dependencies: ["LeakDetection", "ReactiveTrace", "SystemLibrary", "TraceFormat"]),

    // Engine: why is it alive, what is it waiting for?

    // C code that runs in traced programs, and loops over all memory.
    engine("CRuntime"),
    // The C library under one name, locks, and what is safe inside other programs.
    engine("SystemLibrary", ["CRuntime"]),
    // What metadata says about types: all numbers of the ABI, and mangled names.
    engine("SwiftRuntime"),
    // The function, file and line of an address.
    engine("CodeLocations", ["CRuntime", "SwiftRuntime", "SystemLibrary"]),
    // The memory, the mapped files and the tasks of a process.
    engine("ProcessMemory", ["CRuntime", "CodeLocations", "SwiftRuntime", "SystemLibrary"]),
    // Objects, the references between them, cycles and holders.
    engine(
      "HeapGraph", ["CRuntime", "CodeLocations", "ProcessMemory", "SwiftRuntime", "SystemLibrary"]),
    // The tasks of this process with their calls, for programs without signals.
    engine(
      "TaskInspection",
      [
        "CRuntime", "CodeLocations", "ProcessMemory", "SwiftRuntime", "SystemLibrary",
        "TraceFormat",
      ]),
    // What a process does now, and the most probable reason why it hangs.
    engine(
      "ProcessInspection",
      [
        "CRuntime", "CodeLocations", "ProcessMemory", "SwiftRuntime", "SystemLibrary",
        "TaskInspection", "TraceFormat",
      ]),
    // Objects that nothing leads to, in this process or another one.
    engine(
      "LeakDetection",
      [
        "CRuntime", "CodeLocations", "HeapGraph", "ProcessInspection", "ProcessMemory",
        "SwiftRuntime", "SystemLibrary", "TaskInspection", "TraceFormat",
      ]),

    // Log: what the recorder and the viewer share, and the reader.

    // The records and words of a log, and reading and writing JSON.
    log("TraceFormat", ["SystemLibrary"]),
    // Reads logs, finds leaks, and lays out timelines.
    log("TraceAnalysis", ["CRuntime", "SystemLibrary", "TraceFormat"]),

    // Viewer: several modules, so that an optimized build compiles them in parallel.

    // C code for the terminal and for commands, and the page of an HTML report.
    viewer("CViewer", exclude: ["Page"]),
    // Cells, keys, frames and sessions of a terminal.
    viewer("TerminalUI", ["CViewer", "SystemLibrary"]),
    // The arguments, files, streams and pages of a command.
    viewer("ViewerConsole", ["SystemLibrary", "TerminalUI", "TraceFormat"]),
    // The words, signs and colors that reports and the view share.
    viewer("TraceWords", ["TerminalUI", "TraceAnalysis", "TraceFormat", "ViewerConsole"]),
    // Everything that the viewer prints or writes to a file.
    viewer(
      "TraceReports",
      [
        "CViewer", "ProcessInspection", "SystemLibrary", "TerminalUI", "TraceAnalysis",
        "TraceFormat", "TraceWords", "ViewerConsole",
      ]),
    // The view on a terminal, and its state.
    viewer(
      "InteractiveView",
      [
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords",
        "ViewerConsole",
      ]),
    // The commands and options, their parser, help, completions and manual page.
    viewer(
      "ViewerCommandLine",
      [
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords",
        "ViewerConsole",
      ]),
    // The commands, and the processes that `run` starts.
    .executableTarget(
      name: "trace-viewer",
      dependencies: [
        "CViewer", "HeapGraph", "InteractiveView", "LeakDetection", "ProcessInspection",
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceReports", "TraceWords",
        "ViewerCommandLine", "ViewerConsole",
      ]),

    // A search box that leaks on request.
    .executableTarget(
      name: "search-sample",
      dependencies: ["ReactiveKit", "ReactiveTrace"],
      path: "Samples/SearchBox"),
    // Screens with common mistakes.
    .executableTarget(
      name: "leaky-screens",
      dependencies: ["ReactiveKit", "ReactiveTrace"],
      path: "Samples/LeakyScreens"),
    // A server without signals, whose orders and tasks don't end.
    .executableTarget(
      name: "order-server", dependencies: ["TaskInspection"], path: "Samples/OrderServer",
      exclude: ["README.md"]),

    // What several test targets share.
    support(
      "TestSupport", ["AllocationCounter", "ReactiveKit", "TestThreads", "TraceFormat"]),
    // An emulated terminal, and programs that run in it.
    support(
      "TerminalTestSupport", ["PseudoTerminals", "SystemLibrary", "TerminalUI", "TestSupport"]),
    // Logs for tests of the viewer, and readers of what it exports.
    support("ViewerTestSupport", ["TestSupport"]),
    // Threads for work that must run at the same time, also in programs that don't link Testing.
    support("TestThreads", ["SystemLibrary"]),
    // The number of allocations of a thread.
    support("AllocationCounter"),
    // Opens terminals for programs.
    support("PseudoTerminals"),
    // Rules of the kernel that forbid system calls to a test process.
    support("Sandboxes"),
    // System calls that block, and what they return.
    support("BlockingCalls"),

    // Code written against ReactiveKit 3.x, in both language modes.
    .target(
      name: "ClientsInSwift5",
      dependencies: ["ReactiveKit"],
      path: "Tests/Programs/ClientsInSwift5",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "ClientsInSwift6",
      dependencies: ["ReactiveKit"],
      path: "Tests/Programs/ClientsInSwift6",
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // A process that tests kill, deprive of disk space, or let exit.
    .executableTarget(
      name: "TraceWriterHelper",
      dependencies: [
        "BlockingCalls", "LeakDetection", "PseudoTerminals", "ReactiveKit", "ReactiveTrace",
        "Sandboxes", "SystemLibrary", "TestThreads", "TraceFormat",
      ],
      path: "Tests/Programs/TraceWriterHelper"),

    // Programs with planted leaks, and similar ones without.
    corpus("LeakCorpus", ["ReactiveKit", "ReactiveTrace"]),
    // Programs with tasks that can't continue, and similar ones without.
    corpus(
      "TaskCorpus",
      ["CRuntime", "HeapGraph", "ProcessMemory", "ReactiveKit", "ReactiveTrace", "SystemLibrary"]),
    // Compares the texts of values of hundreds of types with those of the language.
    corpus("TextCorpus", ["ReactiveTrace", "SystemLibrary"]),

    // The tests of each module, so that a change compiles only the tests of what depends on it.
    tests(
      "ReactiveKit", "",
      [
        "AllocationCounter", "ClientsInSwift5", "ClientsInSwift6", "ReactiveKit", "TestSupport",
        "TestThreads",
      ]),
    tests(
      "ReactiveTrace", "",
      [
        "AllocationCounter", "CodeLocations", "HeapGraph", "ReactiveKit", "ReactiveTrace",
        "SwiftRuntime", "SystemLibrary", "TaskCorpus", "TestSupport", "TestThreads", "TextCorpus",
        "TraceAnalysis", "TraceCauses", "TraceFormat", "TraceWriterHelper",
      ]),
    tests(
      "TraceTesting", "", ["ReactiveKit", "ReactiveTrace", "TestSupport", "TraceTesting"]),
    tests("SwiftRuntime", "Engine/", ["SwiftRuntime"]),
    tests(
      "CodeLocations", "Engine/",
      ["CodeLocations", "SystemLibrary", "TestSupport", "TraceWriterHelper"]),
    // TraceCauses describes the types and objects of ReactiveKit to the searches.
    tests(
      "HeapGraph", "Engine/",
      [
        "CRuntime", "CodeLocations", "HeapGraph", "ProcessMemory", "ReactiveKit", "SwiftRuntime",
        "SystemLibrary", "TestSupport", "TraceCauses", "TraceWriterHelper",
      ]),
    tests(
      "LeakDetection", "Engine/",
      [
        "HeapGraph", "LeakDetection", "ProcessInspection", "ProcessMemory", "SystemLibrary",
        "TestSupport", "TraceAnalysis", "TraceFormat", "TraceWriterHelper",
      ]),
    tests(
      "ProcessInspection", "Engine/",
      [
        "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary", "TaskInspection",
        "TestSupport", "TraceFormat", "TraceWriterHelper",
      ]),
    tests("TaskInspection", "Engine/", ["TaskInspection", "TestSupport"]),
    tests("TraceFormat", "Log/", ["TestSupport", "TraceFormat"]),
    tests(
      "TraceAnalysis", "Log/",
      ["ReactiveTrace", "SystemLibrary", "TestSupport", "TraceAnalysis", "TraceFormat"]),
    tests(
      "TerminalUI", "Viewer/",
      ["SystemLibrary", "TerminalTestSupport", "TerminalUI", "TestSupport"]
    ),
    tests(
      "ViewerConsole", "Viewer/", ["TerminalUI", "TestSupport", "TraceFormat", "ViewerConsole"]),
    tests(
      "TraceWords", "Viewer/",
      [
        "TerminalUI", "TestSupport", "TraceAnalysis", "TraceFormat", "TraceWords", "ViewerConsole",
      ]),
    tests(
      "TraceReports", "Viewer/",
      [
        "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary", "TaskInspection",
        "TerminalUI", "TestSupport", "TraceAnalysis", "TraceFormat", "TraceReports", "TraceWords",
        "ViewerCommandLine", "ViewerConsole", "ViewerTestSupport",
      ]),
    tests(
      "InteractiveView", "Viewer/",
      [
        "InteractiveView", "SystemLibrary", "TerminalUI", "TestSupport", "TraceAnalysis",
        "TraceFormat", "TraceWords", "ViewerConsole", "ViewerTestSupport",
      ],
      exclude: ["Screen/Screens"]),
    tests(
      "ViewerCommandLine", "Viewer/",
      ["SystemLibrary", "TerminalUI", "TestSupport", "ViewerCommandLine", "ViewerConsole"]),
    // Tests of the whole program, in the process of the tests and as a process of its own.
    tests(
      "TraceViewer", "Viewer/",
      [
        "InteractiveView", "ReactiveTrace", "SystemLibrary", "TerminalTestSupport", "TerminalUI",
        "TestSupport", "TraceAnalysis", "TraceFormat", "TraceReports", "TraceWords",
        "TraceWriterHelper", "ViewerCommandLine", "ViewerConsole", "ViewerTestSupport",
        "trace-viewer",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// One function for each folder of targets.
func engine(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Engine/\(name)")
}
func log(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Log/\(name)")
}
func viewer(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/Viewer/\(name)", exclude: exclude)
}
func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)")
}
func corpus(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests/Corpora/\(name)")
}
func tests(
  _ module: String, _ folder: String, _ dependencies: [Target.Dependency],
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: dependencies,
    path: "Tests/Unit/\(folder)\(module)Tests", exclude: exclude)
}

// As the clients of the product do, our targets with the recorder link the search for causes.
for target in package.targets
where target.dependencies.contains(where: {
  if case .byNameItem("ReactiveTrace", _) = $0 { true } else { false }
}) {
  target.dependencies.append("LinkedCauses")
}

// Settings for all Swift code of our own, which C targets and clients' code don't get.
let othersCode = ["CRuntime", "CViewer", "ClientsInSwift5", "ClientsInSwift6", "Sandboxes"]
for target in package.targets where !othersCode.contains(target.name) {
  let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Stores a value inside its owner, as Synchronization.Mutex does. See Locked.
    .enableExperimentalFeature("RawLayout"),
  ]
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// In language mode 5, clients in mode 6 check that a closure of an actor runs on that actor. See
// Documentation/Decisions/05-language-mode-5-with-the-rules-of-6.md.
let rulesOfLanguageMode6 = [
  "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain",
  "DisableOutwardActorInference", "DynamicActorIsolation", "ForwardTrailingClosures",
  "GlobalActorIsolatedTypesUsability", "GlobalConcurrency", "ImplicitOpenExistentials",
  "ImportObjcForwardDeclarations", "InferSendableFromCaptures", "IsolatedDefaultValues",
  "NonfrozenEnumExhaustivity", "RegionBasedIsolation", "StrictConcurrency",
]
for target in package.targets where ["ReactiveKit", "ReactiveTrace"].contains(target.name) {
  target.swiftSettings?.append(.swiftLanguageMode(.v5))
  target.swiftSettings? += rulesOfLanguageMode6.map { .enableUpcomingFeature($0) }
}

// The checks under the thread sanitizer build only the test targets that they run.
if let suites = Context.environment["TRACE_TESTS_WITH_THREADS"]?.split(separator: " ") {
  package.targets.removeAll { $0.type == .test && !suites.contains(Substring($0.name)) }
}
