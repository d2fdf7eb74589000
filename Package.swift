// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "reactivekit-trace",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ReactiveKit", targets: ["ReactiveKit"]),
    .library(name: "ReactiveTrace", targets: ["ReactiveTrace"]),
    .library(name: "TaskInspection", targets: ["TaskInspection", "LeakDetection"]),
    .library(name: "TraceTesting", targets: ["TraceTesting"]),
    .executable(name: "trace-viewer", targets: ["trace-viewer"]),
  ],
  targets: [
    .target(name: "ReactiveKit"),
    // The recorder: operators, log files, sinks, and the explanation of leaks.
    .target(
      name: "ReactiveTrace",
      dependencies: [
        "CRuntime", "CodeLocations", "HeapGraph", "ProcessInspection", "ProcessMemory",
        "ReactiveKit", "SwiftRuntime", "SystemLibrary", "TaskInspection", "TraceFormat",
      ]),
    // Traits for Swift Testing. It is the only library that links Testing, so only test targets
    // depend on it.
    .target(
      name: "TraceTesting", dependencies: ["LeakDetection", "ReactiveTrace", "SystemLibrary"]),

    // Engine: why is it alive, what is it waiting for?
    engine("CRuntime"),
    // The C library of each platform under one name, a lock for long sections, and what code needs
    // that runs in the processes of others.
    engine("SystemLibrary", ["CRuntime"]),
    // What the metadata of the running program says about types. It has every number of the ABI
    // and the parser of mangled names.
    engine("SwiftRuntime"),
    // The function, file and line of an address: ELF, DWARF, inlined calls, names from symbols.
    engine("CodeLocations", ["CRuntime", "SwiftRuntime", "SystemLibrary"]),
    // The memory, the mapped files and the tasks of this process or of another one.
    engine("ProcessMemory", ["CRuntime", "CodeLocations", "SwiftRuntime", "SystemLibrary"]),
    // Objects in the memory of the process, the references between them, cycles, holders. It knows
    // nothing about signals.
    engine(
      "HeapGraph", ["CRuntime", "CodeLocations", "ProcessMemory", "SwiftRuntime", "SystemLibrary"]),
    // What another process does at the moment: its tasks, its threads, who waits for whom, and what
    // is most probably the reason why it doesn't end.
    engine(
      "ProcessInspection",
      ["CRuntime", "CodeLocations", "ProcessMemory", "SwiftRuntime", "SystemLibrary"]),
    // The tasks of this process, for programs that don't use signals.
    engine(
      "TaskInspection",
      ["CRuntime", "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary"]),
    // The objects of this process or of another one that nothing can reach any more, and the cycles
    // among them. It is in the same product as the tasks.
    engine(
      "LeakDetection",
      [
        "CRuntime", "CodeLocations", "ProcessInspection", "ProcessMemory", "SwiftRuntime",
        "SystemLibrary", "TraceFormat",
      ]),

    // Log: what the recorder and the reader share, and the reader.
    log("TraceFormat", ["SystemLibrary"]),
    // Reads logs, finds leaks, lays out timelines. It doesn't depend on terminals.
    log("TraceAnalysis", ["CRuntime", "SystemLibrary", "TraceFormat"]),

    // Viewer: several modules, so that an optimized build compiles them in parallel.
    viewer("CViewer", exclude: ["Page"]),
    // Cells, keys, frames and sessions of a terminal. They don't depend on logs.
    viewer("TerminalUI", ["CViewer", "SystemLibrary"]),
    // What a command needs of its console: arguments, files, streams, pages of text. It doesn't
    // need the analysis, and is compiled at the same time as TraceAnalysis.
    viewer("ViewerConsole", ["SystemLibrary", "TerminalUI", "TraceFormat"]),
    // The words, signs and colors of an analysis, which reports and the view share.
    viewer("TraceWords", ["TerminalUI", "TraceAnalysis", "TraceFormat", "ViewerConsole"]),
    // Everything that the viewer prints or writes to a file.
    viewer(
      "TraceReports",
      [
        "CViewer", "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary",
        "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords", "ViewerConsole",
      ]),
    // The view on a terminal, and its state.
    viewer(
      "InteractiveView",
      [
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords",
        "ViewerConsole",
      ]),
    // The table of commands and options, its parser, help, completions and manual page.
    viewer(
      "ViewerCommandLine",
      [
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords",
        "ViewerConsole",
      ]),
    .executableTarget(
      name: "trace-viewer",
      dependencies: [
        "CViewer", "InteractiveView", "LeakDetection", "ProcessInspection", "SystemLibrary",
        "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceReports", "TraceWords",
        "ViewerCommandLine", "ViewerConsole",
      ]),

    .executableTarget(
      name: "search-sample",
      dependencies: ["ReactiveKit", "ReactiveTrace"],
      path: "Samples/SearchBox"),
    // Screens with common mistakes, and what is found. Tests/Scripts/leaky-screens.py runs them.
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
    // Threads for work that must run at the same time. This is a separate target because the test
    // helper process must not link Testing.
    support("TestThreads", ["SystemLibrary"]),
    support("AllocationCounter"),
    support("PseudoTerminals"),
    // Rules of the kernel that forbid system calls to a test process.
    support("Sandboxes"),

    // Code written against ReactiveKit 3.x. Both targets have the same files, one for each language
    // mode, and are built the way clients build.
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
        "LeakDetection", "PseudoTerminals", "ReactiveKit", "ReactiveTrace", "Sandboxes",
        "SystemLibrary", "TestThreads", "TraceFormat",
      ],
      path: "Tests/Programs/TraceWriterHelper"),

    // Programs with planted leaks, and similar ones without. Tests/Scripts/corpus.py runs them.
    corpus("LeakCorpus", ["ReactiveKit", "ReactiveTrace"], exclude: ["Results.md"]),
    // Programs with tasks that can't continue, and similar ones without.
    // Tests/Scripts/task-corpus.py runs them.
    corpus(
      "TaskCorpus", ["CRuntime", "HeapGraph", "ProcessMemory", "ReactiveTrace", "SystemLibrary"]),
    // A program that compares the texts of values of hundreds of types with those of the language.
    corpus("TextCorpus", ["ReactiveTrace", "SystemLibrary"]),

    // Each module has its own test target, so that a change compiles only the tests of what depends
    // on it.
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
        "TraceAnalysis", "TraceFormat", "TraceWriterHelper",
      ]),
    tests(
      "TraceTesting", "", ["ReactiveKit", "ReactiveTrace", "TestSupport", "TraceTesting"]),
    tests("SwiftRuntime", "Engine/", ["SwiftRuntime"]),
    tests("CodeLocations", "Engine/", ["CodeLocations", "TestSupport", "TraceWriterHelper"]),
    // The recorder describes the types and objects of ReactiveKit to the searches.
    tests(
      "HeapGraph", "Engine/",
      [
        "CRuntime", "CodeLocations", "HeapGraph", "ProcessMemory", "ReactiveKit", "ReactiveTrace",
        "SwiftRuntime", "SystemLibrary", "TestSupport", "TraceWriterHelper",
      ]),
    tests(
      "LeakDetection", "Engine/",
      [
        "LeakDetection", "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary",
        "TestSupport", "TraceAnalysis", "TraceFormat", "TraceWriterHelper",
      ]),
    tests(
      "ProcessInspection", "Engine/",
      [
        "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary", "TestSupport",
        "TraceWriterHelper",
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
        "ProcessInspection", "ProcessMemory", "SwiftRuntime", "SystemLibrary", "TerminalUI",
        "TestSupport", "TraceAnalysis", "TraceFormat", "TraceReports", "TraceWords",
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

// One function for each folder that has modules.
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
func corpus(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/Corpora/\(name)", exclude: exclude)
}
func tests(
  _ module: String, _ folder: String, _ dependencies: [Target.Dependency],
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: dependencies,
    path: "Tests/Unit/\(folder)\(module)Tests", exclude: exclude)
}

// Settings for all Swift code of our own. C targets and client code do not get them.
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

// The libraries are built in language mode 5. Only then does the compiler check at run time, in a
// client in language mode 6, that a closure of an actor runs on that actor (SE-0423). With these
// settings, the rules of language mode 6 still apply to the libraries themselves.
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

// The checks under the thread sanitizer run tests of these targets only. The other test targets
// have a third of the lines of all tests.
if Context.environment["TRACE_TESTS_WITH_THREADS"] != nil {
  let suites = [
    "HeapGraphTests", "ReactiveKitTests", "ReactiveTraceTests", "TerminalUITests",
    "TraceAnalysisTests", "TraceViewerTests",
  ]
  package.targets.removeAll { $0.type == .test && !suites.contains($0.name) }
}
