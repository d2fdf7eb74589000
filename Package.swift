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
    // Imports the C library of each platform under one name, and has a lock for long sections.
    .target(name: "SystemLibrary"),
    // The log format: records, keys, times, JSON. Nothing else is shared by the recorder and the
    // reader.
    .target(name: "TraceFormat", dependencies: ["SystemLibrary"]),
    // The recorder: operators, log files, sinks, and the explanation of leaks.
    .target(
      name: "ReactiveTrace",
      dependencies: [
        "CodeLocations", "ElementText", "HeapGraph", "HostSafety", "ProcessInspection",
        "ProcessReading", "ReactiveKit", "SwiftRuntime", "SystemLibrary", "TaskInspection",
        "TraceFormat", "TraceShims",
      ]),
    // Traits for Swift Testing. It is the only library that links Testing, so only test targets
    // depend on it.
    .target(
      name: "TraceTesting",
      dependencies: ["HostSafety", "LeakDetection", "ReactiveTrace", "SystemLibrary"]),
    // What code needs that runs in processes of others: guards against signal handlers and forks,
    // its own descriptors, memory set aside, a clock, messages.
    .target(name: "HostSafety", dependencies: ["SystemLibrary", "TraceShims"]),
    // What the metadata of the running program says about types. It has every number of the ABI
    // and the parser of mangled names.
    .target(name: "SwiftRuntime"),
    // The memory, the mapped files and the tasks of this process or of another one.
    .target(
      name: "ProcessReading",
      dependencies: ["CodeLocations", "HostSafety", "SwiftRuntime", "SystemLibrary", "TraceShims"]),
    // Objects in the memory of the process, the references between them, cycles, holders. It knows
    // nothing about signals.
    .target(
      name: "HeapGraph",
      dependencies: [
        "CodeLocations", "HostSafety", "ProcessReading", "SwiftRuntime", "SystemLibrary",
        "TraceShims",
      ]),
    // The text of any value, by a plan for each type.
    .target(
      name: "ElementText",
      dependencies: ["HostSafety", "SwiftRuntime", "SystemLibrary", "TraceFormat"]),
    // The function, file and line of an address: ELF, DWARF, inlined calls, names from symbols.
    .target(
      name: "CodeLocations",
      dependencies: ["HostSafety", "SwiftRuntime", "SystemLibrary", "TraceShims"]),
    // C for what Swift cannot express: a frame pointer, thread-local variables, a barrier that the
    // kernel makes all threads pass, code that runs before main.
    .target(name: "TraceShims"),
    // What another process does at the moment: its tasks, its threads, who waits for whom, and what
    // is most probably the reason why it doesn't end. It doesn't depend on logs.
    .target(
      name: "ProcessInspection",
      dependencies: [
        "CodeLocations", "HostSafety", "InspectionShims", "ProcessReading", "SwiftRuntime",
        "SystemLibrary",
      ]),
    // The objects of a process that nothing can reach any more, and the cycles among them. It reads
    // the memory of this process or of another one, and doesn't depend on logs.
    .target(
      name: "LeakInspection",
      dependencies: [
        "CodeLocations", "HeapShims", "HostSafety", "InspectionShims", "ProcessInspection",
        "ProcessReading", "SwiftRuntime", "SystemLibrary", "TraceFormat", "TraceShims",
      ]),
    // C for the loops that visit every word of a process.
    .target(name: "HeapShims"),
    // The tasks of this process, for programs that don't use signals. It has a product of its own.
    .target(
      name: "TaskInspection",
      dependencies: ["HostSafety", "ProcessInspection", "ProcessReading", "SwiftRuntime"]),
    // The leaked objects of this process, for any program. It is in the same product as the tasks.
    .target(
      name: "LeakDetection", dependencies: ["LeakInspection", "SystemLibrary", "TraceFormat"]),
    // Inspections of processes as text and JSON.
    .target(
      name: "InspectionReports",
      dependencies: [
        "ProcessInspection", "ProcessReading", "SwiftRuntime", "TerminalUI", "TraceFormat",
        "ViewerConsole",
      ]),
    // C for what Swift cannot express: stopping a thread of another process and reading its
    // registers.
    .target(name: "InspectionShims"),
    // Reads logs, finds leaks, lays out timelines. It doesn't depend on terminals.
    .target(
      name: "TraceAnalysis", dependencies: ["AnalysisShims", "SystemLibrary", "TraceFormat"]),
    // C for what Swift cannot express: vector instructions that scan 64 bytes at a time, and memory
    // that grows without being copied.
    .target(name: "AnalysisShims"),
    // Cells, keys, frames and sessions of a terminal. They don't depend on logs.
    .target(name: "TerminalUI", dependencies: ["SystemLibrary", "TerminalShims"]),
    // C for what Swift cannot express: signal handlers that restore the terminal.
    .target(name: "TerminalShims"),
    // The viewer consists of several modules, so that an optimized build compiles them in parallel.
    // This one has what a command needs of its console: arguments, files, streams, pages of text.
    // It doesn't need the analysis, and is compiled at the same time as TraceAnalysis.
    .target(
      name: "ViewerConsole", dependencies: ["SystemLibrary", "TerminalUI", "TraceFormat"]),
    // The words, signs and colors of an analysis, which reports and the view share.
    .target(
      name: "TraceWords",
      dependencies: ["TerminalUI", "TraceAnalysis", "TraceFormat", "ViewerConsole"]),
    // Everything that the viewer prints or writes to a file.
    .target(
      name: "TraceReports",
      dependencies: [
        "InspectionReports", "PageFiles", "ProcessInspection", "SystemLibrary", "TerminalUI",
        "TraceAnalysis", "TraceFormat", "TraceWords", "ViewerConsole",
      ]),
    // The scripts and the styles of the page of an HTML report, which C embeds.
    .target(name: "PageFiles", exclude: ["Page"]),
    // The view on a terminal, and its state.
    .target(
      name: "InteractiveView",
      dependencies: [
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords",
        "ViewerConsole",
      ]),
    // The table of commands and options, its parser, help, completions and manual page.
    .target(
      name: "ViewerCommandLine",
      dependencies: [
        "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat", "TraceWords",
        "ViewerConsole",
      ]),
    .executableTarget(
      name: "trace-viewer",
      dependencies: [
        "InspectionReports", "InteractiveView", "LeakInspection", "ProcessInspection",
        "ProcessShims", "SystemLibrary", "TerminalUI", "TraceAnalysis", "TraceFormat",
        "TraceReports", "TraceWords", "ViewerCommandLine", "ViewerConsole",
      ]),
    // C for what Swift cannot express: the sender of a signal, and what a command inherits.
    .target(name: "ProcessShims"),
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

    // Each module has its own test target, so that a change compiles only the tests of what depends
    // on it. These targets have what several of them share.
    .target(
      name: "TestSupport",
      dependencies: [
        "AllocationCounter", "ReactiveKit", "SystemLibrary", "TestThreads", "TraceFormat",
      ],
      path: "Tests/TestSupport"),
    // An emulated terminal, and programs that run in it.
    .target(
      name: "TerminalTestSupport",
      dependencies: ["PseudoTerminals", "SystemLibrary", "TerminalUI", "TestSupport"],
      path: "Tests/TerminalTestSupport"),
    // Logs for tests of the viewer, and readers of what it exports.
    .target(
      name: "ViewerTestSupport", dependencies: ["TestSupport"], path: "Tests/ViewerTestSupport"),
    // Threads for work that must run at the same time. This is a separate target because the test
    // helper process must not link Testing.
    .target(name: "TestThreads", dependencies: ["SystemLibrary"], path: "Tests/TestThreads"),
    .testTarget(
      name: "ReactiveKitTests",
      dependencies: [
        "AllocationCounter", "ClientsInSwift5", "ClientsInSwift6", "ReactiveKit", "TestSupport",
        "TestThreads",
      ]),
    // Code written against ReactiveKit 3.x. Both targets have the same files, one for each language
    // mode, and are built the way clients build.
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
    // Rules of the kernel that forbid system calls to a test process.
    .target(name: "Sandboxes", path: "Tests/Sandboxes"),
    // A process that tests kill, deprive of disk space, or let exit.
    .executableTarget(
      name: "TraceWriterHelper",
      dependencies: [
        "LeakDetection",
        "PseudoTerminals", "ReactiveKit", "ReactiveTrace", "Sandboxes", "SystemLibrary",
        "TestThreads", "TraceFormat",
      ],
      path: "Tests/TraceWriterHelper"),
    // Programs with planted leaks, and similar ones without. Tests/Scripts/corpus.py runs them.
    .executableTarget(
      name: "LeakCorpus", dependencies: ["ReactiveKit", "ReactiveTrace"],
      path: "Tests/LeakCorpus", exclude: ["Results.md"]),
    // Programs with tasks that can't continue, and similar ones without.
    // Tests/Scripts/task-corpus.py runs them.
    .executableTarget(
      name: "TaskCorpus",
      dependencies: [
        "HeapGraph", "ProcessReading", "ReactiveTrace", "SystemLibrary", "TraceShims",
      ],
      path: "Tests/TaskCorpus"),
    // A program that compares the texts of values of hundreds of types with those of the language.
    .executableTarget(
      name: "TextCorpus", dependencies: ["ReactiveTrace", "SystemLibrary"],
      path: "Tests/TextCorpus"),
    .testTarget(name: "SwiftRuntimeTests", dependencies: ["SwiftRuntime"]),
    .testTarget(
      name: "CodeLocationsTests",
      dependencies: ["CodeLocations", "TestSupport", "TraceWriterHelper"]),
    // The recorder describes the types and objects of ReactiveKit to the searches.
    .testTarget(
      name: "HeapGraphTests",
      dependencies: [
        "CodeLocations", "HeapGraph", "HostSafety", "ProcessReading", "ReactiveKit",
        "ReactiveTrace", "SwiftRuntime", "SystemLibrary", "TestSupport", "TraceWriterHelper",
      ]),
    .testTarget(
      name: "LeakInspectionTests",
      dependencies: [
        "HostSafety", "LeakDetection", "LeakInspection", "ProcessInspection", "SystemLibrary",
        "TestSupport", "TraceAnalysis", "TraceFormat", "TraceWriterHelper",
      ]),
    .testTarget(
      name: "ProcessInspectionTests",
      dependencies: [
        "CodeLocations", "ProcessInspection", "ProcessReading", "SwiftRuntime", "SystemLibrary",
        "TestSupport", "TraceWriterHelper",
      ]),
    .testTarget(name: "TaskInspectionTests", dependencies: ["TaskInspection", "TestSupport"]),
    .testTarget(
      name: "InspectionReportsTests",
      dependencies: [
        "InspectionReports", "ProcessInspection", "ProcessReading", "SwiftRuntime", "TerminalUI",
        "TestSupport", "TraceFormat", "ViewerConsole",
      ]),
    .testTarget(name: "ElementTextTests", dependencies: ["ElementText", "SwiftRuntime"]),
    .testTarget(
      name: "ReactiveTraceTests",
      dependencies: [
        "AllocationCounter", "CodeLocations", "ElementText", "HeapGraph", "HostSafety",
        "ProcessReading", "ReactiveKit", "ReactiveTrace", "SwiftRuntime", "SystemLibrary",
        "TaskCorpus", "TestSupport",
        "TestThreads", "TextCorpus", "TraceAnalysis", "TraceFormat", "TraceWriterHelper",
      ]),
    .testTarget(
      name: "TraceTestingTests", dependencies: ["ReactiveKit", "TestSupport", "TraceTesting"]),
    .testTarget(name: "TraceFormatTests", dependencies: ["TestSupport", "TraceFormat"]),
    .testTarget(
      name: "TraceAnalysisTests",
      dependencies: [
        "ReactiveTrace", "SystemLibrary", "TestSupport", "TraceAnalysis", "TraceFormat",
      ]),
    .target(name: "PseudoTerminals", path: "Tests/PseudoTerminals"),
    .testTarget(
      name: "TerminalUITests",
      dependencies: ["SystemLibrary", "TerminalTestSupport", "TerminalUI", "TestSupport"]),
    .testTarget(
      name: "ViewerConsoleTests", dependencies: ["TestSupport", "TraceFormat", "ViewerConsole"]),
    .testTarget(
      name: "TraceWordsTests",
      dependencies: [
        "TerminalUI", "TestSupport", "TraceAnalysis", "TraceFormat", "TraceWords", "ViewerConsole",
      ]),
    .testTarget(
      name: "TraceReportsTests",
      dependencies: [
        "SystemLibrary", "TerminalUI", "TestSupport", "TraceAnalysis", "TraceFormat",
        "TraceReports", "TraceWords", "ViewerCommandLine", "ViewerConsole", "ViewerTestSupport",
      ]),
    .testTarget(
      name: "InteractiveViewTests",
      dependencies: [
        "InteractiveView", "SystemLibrary", "TerminalUI", "TestSupport", "TraceAnalysis",
        "TraceFormat", "TraceWords", "ViewerConsole", "ViewerTestSupport",
      ],
      exclude: ["Screen/Screens"]),
    .testTarget(
      name: "ViewerCommandLineTests",
      dependencies: [
        "SystemLibrary", "TerminalUI", "TestSupport", "ViewerCommandLine", "ViewerConsole",
      ]),
    // Tests of the whole program, in the process of the tests and as a process of its own.
    .testTarget(
      name: "TraceViewerTests",
      dependencies: [
        "InteractiveView", "ReactiveTrace", "SystemLibrary", "TerminalTestSupport", "TerminalUI",
        "TestSupport", "TraceAnalysis", "TraceFormat", "TraceReports", "TraceWords",
        "TraceWriterHelper", "ViewerCommandLine", "ViewerConsole", "ViewerTestSupport",
        "trace-viewer",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Settings for all Swift code of our own. C targets and client code do not get them.
let othersCode = [
  "AnalysisShims", "ClientsInSwift5", "ClientsInSwift6", "InspectionShims", "PageFiles",
  "ProcessShims", "Sandboxes", "TerminalShims", "TraceShims",
]
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
