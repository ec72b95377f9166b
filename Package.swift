// swift-tools-version: 6.2
import PackageDescription

// Every target declares what it may import; an import that is not declared here fails the build
// (`deploy/test` passes --explicit-target-dependency-import-check error). Arrows point down only.

// MARK: - Settings, the same for every Swift target

let strictTests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// Code that ships also marks every unsafe step.
let strict = strictTests + [.strictMemorySafety()]

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let configuration = Target.Dependency.product(
    name: "Configuration",
    package: "swift-configuration"
)
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

// MARK: - Targets, bottom to top

let package = Package(
    name: "reload-router",
    products: [
        .library(name: "ReloadRouterClient", targets: ["ReloadRouterClient"]),
        .library(name: "WidgetTimelines", targets: ["WidgetTimelines", "OriginAccess"]),
        .library(name: "WidgetFleet", targets: ["WidgetFleet"]),
        .executable(name: "reload-router", targets: ["reload-router"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // System libraries and C: one Swift owner each.
        .systemLibrary(
            name: "CLibuv",
            pkgConfig: "libuv",
            providers: [.apt(["libuv1-dev"])]
        ),
        .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CRocksDB", providers: [.apt(["librocksdb-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "CRocksOptions", dependencies: ["CRocksDB"]),
        .target(name: "CIntrinsics"),

        // Vocabulary: plain values and the memory they lie in.
        .target(name: "ByteStorage", dependencies: ["CIntrinsics"], swiftSettings: strict),
        .target(name: "ReloadModel", swiftSettings: strict),
        .target(name: "Threading", swiftSettings: strict),

        // What a service manager is told, and how much is logged.
        .target(name: "ServiceNotification", swiftSettings: strict),
        .target(name: "ServiceLogging", dependencies: [logging], swiftSettings: strict),

        // What the store's records look like, and what a store can do.
        .target(
            name: "StoreFormat",
            dependencies: ["CXXHash", "ByteStorage", "ReloadModel"],
            swiftSettings: strict
        ),

        // What was recorded of a router's inputs, as bytes.
        .target(
            name: "CaptureFormat",
            dependencies: ["ByteStorage", "StoreFormat", "StrictJSON"],
            swiftSettings: strict
        ),

        // Captures as files: compressed, written and read ahead on threads of their own.
        .target(
            name: "CaptureFiles",
            dependencies: ["CZstd", "CaptureFormat", "StoreFormat", "ByteStorage", "Threading"],
            swiftSettings: strict
        ),

        // Captures of bursts that hurt, made from a seed; pure.
        .target(
            name: "BurstShapes",
            dependencies: ["ByteStorage", "StoreFormat", "CaptureFormat"],
            swiftSettings: strict
        ),

        // Histograms, counters and hot keys: plain memory; pure.
        .target(name: "RouterMetrics", swiftSettings: strict),

        // Steps, pure: no clock, socket, file or randomness.
        .target(name: "StrictJSON", dependencies: ["ByteStorage"], swiftSettings: strict),
        .target(
            name: "FrameCodec",
            dependencies: ["ByteStorage", "ReloadModel", "StrictJSON"],
            swiftSettings: strict
        ),
        .target(
            name: "EventPatterns",
            dependencies: ["ByteStorage", "ReloadModel", "StrictJSON"],
            swiftSettings: strict
        ),
        .target(
            name: "WidgetMatching",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "EventPatterns", "StoreFormat",
                "RouterMetrics",
            ],
            swiftSettings: strict
        ),

        .target(
            name: "ReloadScheduling",
            dependencies: ["ByteStorage", "ReloadModel", "StoreFormat"],
            swiftSettings: strict
        ),

        .target(
            name: "PayloadFields",
            dependencies: ["ByteStorage", "ReloadModel", "StrictJSON", "StoreFormat"],
            swiftSettings: strict
        ),

        // Decision, pure: frames and time in, actions out.
        .target(
            name: "RouterCore",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "EventPatterns",
                "WidgetMatching", "ReloadScheduling", "PayloadFields", "StoreFormat",
                "CaptureFormat", "RouterMetrics",
            ],
            swiftSettings: strict
        ),

        // The servers that widgets' providers ask, as a model; pure.
        .target(
            name: "OriginSimulation",
            dependencies: ["ByteStorage", "StrictJSON"],
            swiftSettings: strict
        ),

        // Adapters and assembly.
        .target(
            name: "DurableStore",
            dependencies: [
                "CRocksDB", "CRocksOptions", "ByteStorage", "StoreFormat", "Threading",
                "RouterMetrics",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "RouterDurability",
            dependencies: [
                "ByteStorage", "ReloadModel", "RouterCore", "StoreFormat", "DurableStore",
                "Threading", "RouterMetrics",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "LibuvLoop",
            dependencies: ["CLibuv", "ByteStorage"],
            swiftSettings: strict
        ),
        .target(
            name: "CaptureTap",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "CaptureFormat",
                "CaptureFiles", "LibuvLoop", "Threading", logging,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "HTTPFetching",
            dependencies: ["CCurl", "LibuvLoop"],
            swiftSettings: strict
        ),
        .target(
            name: "HTTPServing",
            dependencies: ["CMicroHTTPD", "Threading"],
            swiftSettings: strict
        ),
        .target(
            name: "AdminHTTP",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "RouterCore",
                "RouterMetrics", "StoreFormat", "HTTPServing", "Threading", "ServiceLogging",
            ],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict
        ),
        .target(
            name: "OriginServer",
            dependencies: ["HTTPServing", "OriginSimulation", "StrictJSON", "Threading"],
            swiftSettings: strict
        ),
        .target(
            name: "RouterServer",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "ReloadScheduling",
                "RouterCore", "RouterMetrics", "StoreFormat", "CaptureFormat", "CaptureFiles",
                "RouterDurability", "LibuvLoop", "AdminHTTP", "Threading", "ServiceNotification",
                "ServiceLogging", logging,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "RouterSimulation",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "ReloadScheduling",
                "RouterCore", "StoreFormat", "CaptureFormat",
            ],
            swiftSettings: strict
        ),

        // For users and operators.
        .target(
            name: "ReloadRouterClient",
            dependencies: ["ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "LibuvLoop"],
            swiftSettings: strict
        ),
        // WidgetKit's names for widget code on Linux.
        .target(name: "WidgetTimelines", swiftSettings: strict),
        // The way from widget code to its server.
        .target(name: "OriginAccess", swiftSettings: strict),
        // Simulated devices that run such code; pure, like the steps.
        .target(
            name: "DeviceSimulation",
            dependencies: ["WidgetTimelines", "ReloadModel", "ReloadScheduling"],
            swiftSettings: strict
        ),
        // Widgets of three apps, as their developers write them.
        .target(
            name: "ExampleWidgets",
            dependencies: ["WidgetTimelines", "OriginAccess"],
            swiftSettings: strict
        ),
        // The screens of devices in a browser.
        .target(
            name: "DevicePage",
            dependencies: ["HTTPServing", "WidgetTimelines"],
            resources: [.embedInCode("Resources")],
            swiftSettings: strict
        ),
        // What operators see in a browser, as files.
        .target(
            name: "Dashboard",
            resources: [.embedInCode("Resources")],
            swiftSettings: strict
        ),
        // What a fleet of devices did, as text, JSON and pictures.
        .target(name: "LoadReporting", swiftSettings: strict),
        // What operators see in a terminal: a router's status as lines; pure.
        .target(
            name: "TopView",
            dependencies: ["ByteStorage", "StrictJSON", "LoadReporting"],
            swiftSettings: strict
        ),
        // Fleets of such devices: over sockets, or in accelerated time.
        .target(
            name: "WidgetFleet",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "ReloadScheduling",
                "LibuvLoop", "ReloadRouterClient", "WidgetTimelines", "OriginAccess",
                "DeviceSimulation", "OriginSimulation", "OriginServer", "HTTPServing",
                "HTTPFetching",
                "LoadReporting", "DevicePage", "RouterCore", "RouterSimulation", histogram,
                argumentParser,
            ],
            swiftSettings: strict
        ),
        // Recorded bursts, sent again.
        .target(
            name: "CaptureReplay",
            dependencies: [
                "ByteStorage", "ReloadModel", "StrictJSON", "StoreFormat", "FrameCodec",
                "WidgetMatching", "RouterCore", "CaptureFormat", "CaptureFiles", "LibuvLoop",
                "ReloadRouterClient", "LoadReporting", histogram,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "reload-router",
            dependencies: [
                "CaptureReplay", "LoadReporting", "TopView", "HTTPFetching",
                "ByteStorage", "ReloadModel", "StrictJSON", "FrameCodec", "EventPatterns",
                "WidgetMatching", "ReloadScheduling", "RouterCore", "RouterSimulation", "LibuvLoop",
                "StoreFormat", "CaptureFormat", "CaptureFiles", "CaptureTap", "BurstShapes",
                "DurableStore", "RouterDurability", "HTTPServing", "AdminHTTP",
                "RouterServer", "ReloadRouterClient", "WidgetTimelines", "WidgetFleet",
                "ExampleWidgets", "ServiceNotification", "ServiceLogging", "Threading", "Dashboard",
                "CReferenceServer", "CReferenceStore", argumentParser, logging,
                configuration,
            ],
            swiftSettings: strict
        ),

        // What the benchmarks compare with: the same wire work in C over the same libuv, and RocksDB
        // as it is used without a router.
        .target(name: "CReferenceServer", dependencies: ["CLibuv"]),
        .target(name: "CReferenceStore", dependencies: ["CRocksDB"]),

        // Tests, a target each; `Tests/IntegrationTests` is Python and starts the real binary.
        .target(name: "CAllocationCounter"),
        .target(
            name: "TestSupport",
            dependencies: ["ByteStorage", "StoreFormat"],
            path: "Tests/TestSupport",
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "StoreFormatTests",
            dependencies: ["StoreFormat", "ByteStorage", "TestSupport"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "RouterMetricsTests",
            dependencies: ["RouterMetrics"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "CaptureFormatTests",
            dependencies: [
                "CaptureFormat", "StoreFormat", "StrictJSON", "ByteStorage", "ReloadModel",
                "RouterCore", "WidgetMatching", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "CaptureFilesTests",
            dependencies: [
                "CaptureFiles", "CaptureFormat", "StoreFormat", "ByteStorage", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "CaptureTapTests",
            dependencies: [
                "CaptureTap", "CaptureFormat", "FrameCodec", "ByteStorage", "ReloadModel",
                "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "DurableStoreTests",
            dependencies: [
                "DurableStore", "StoreFormat", "ByteStorage", "Threading", "RouterMetrics",
                "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "RouterDurabilityTests",
            dependencies: [
                "RouterDurability", "DurableStore", "RouterCore", "ReloadModel", "StoreFormat",
                "ByteStorage", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "ServiceNotificationTests",
            dependencies: ["ServiceNotification"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "ServiceLoggingTests",
            dependencies: ["ServiceLogging", logging],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "ByteStorageTests",
            dependencies: ["ByteStorage", "TestSupport"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "StrictJSONTests",
            dependencies: ["StrictJSON", "ByteStorage", "TestSupport"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "FrameCodecTests",
            dependencies: [
                "FrameCodec", "ByteStorage", "ReloadModel", "StrictJSON", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "EventPatternsTests",
            dependencies: [
                "EventPatterns", "ByteStorage", "ReloadModel", "StrictJSON", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "WidgetMatchingTests",
            dependencies: [
                "WidgetMatching", "EventPatterns", "ByteStorage", "ReloadModel", "StrictJSON",
                "StoreFormat", "RouterMetrics", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "ReloadSchedulingTests",
            dependencies: [
                "ReloadScheduling", "StoreFormat", "ByteStorage", "ReloadModel", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "PayloadFieldsTests",
            dependencies: [
                "PayloadFields", "ByteStorage", "ReloadModel", "StrictJSON", "StoreFormat",
                "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "BurstShapesTests",
            dependencies: [
                "BurstShapes", "CaptureFormat", "ByteStorage", "StoreFormat", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "RouterSimulationTests",
            dependencies: [
                "RouterSimulation", "RouterCore", "FrameCodec", "ByteStorage", "ReloadModel",
                "StrictJSON", "BurstShapes", "CaptureFormat", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "RouterCoreTests",
            dependencies: [
                "RouterCore", "ReloadScheduling", "WidgetMatching", "PayloadFields", "FrameCodec",
                "ByteStorage", "ReloadModel", "StrictJSON", "StoreFormat", "DurableStore",
                "RouterDurability", "CaptureFormat", "RouterMetrics", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "LibuvLoopTests",
            dependencies: ["LibuvLoop", "ByteStorage", "TestSupport"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "HTTPFetchingTests",
            dependencies: ["HTTPFetching", "LibuvLoop", "ByteStorage"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: ["HTTPServing"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "AdminHTTPTests",
            dependencies: [
                "AdminHTTP", "HTTPServing", "ByteStorage", "ReloadModel", "StrictJSON",
                "RouterCore", "RouterMetrics", "StoreFormat", "Threading", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "RouterServerTests",
            dependencies: [
                "RouterServer", "AdminHTTP", "FrameCodec", "ByteStorage", "StrictJSON", "LibuvLoop",
                "ReloadModel",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "ReloadRouterClientTests",
            dependencies: [
                "ReloadRouterClient", "FrameCodec", "ByteStorage", "StrictJSON", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "WidgetTimelinesTests",
            dependencies: ["WidgetTimelines"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "OriginAccessTests",
            dependencies: ["OriginAccess"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "DeviceSimulationTests",
            dependencies: ["DeviceSimulation", "WidgetTimelines", "ReloadModel"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "ExampleWidgetsTests",
            dependencies: ["ExampleWidgets", "WidgetTimelines", "OriginAccess"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "DevicePageTests",
            dependencies: ["DevicePage", "HTTPServing", "WidgetTimelines"],
            exclude: ["date-texts.json"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "TopViewTests",
            dependencies: ["TopView", "ByteStorage"],
            exclude: ["Cases"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "OriginSimulationTests",
            dependencies: ["OriginSimulation", "ByteStorage", "StrictJSON"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "LoadReportingTests",
            dependencies: ["LoadReporting"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "WidgetFleetTests",
            dependencies: [
                "WidgetFleet", "LoadReporting", "WidgetTimelines", "OriginAccess", "RouterCore",
                "ByteStorage", "DeviceSimulation", "ReloadModel", "ReloadRouterClient",
                "FrameCodec", "OriginSimulation", "StrictJSON", "TestSupport", argumentParser,
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "CaptureReplayTests",
            dependencies: [
                "CaptureReplay", "CaptureFormat", "LoadReporting", "FrameCodec", "ReloadModel",
                "StoreFormat", "StrictJSON", "ByteStorage", "TestSupport",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "OriginServerTests",
            dependencies: [
                "OriginServer", "OriginSimulation", "HTTPFetching", "HTTPServing", "LibuvLoop",
                "StrictJSON", "Threading",
            ],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: ["reload-router", "CaptureFormat"],
            swiftSettings: strictTests
        ),
        .testTarget(
            name: "AllocationTests",
            dependencies: [
                "CAllocationCounter", "RouterCore", "WidgetMatching", "EventPatterns",
                "PayloadFields", "FrameCodec", "ByteStorage", "ReloadModel", "StoreFormat",
                "DurableStore", "RouterDurability", "CaptureFormat", "RouterMetrics",
            ],
            swiftSettings: strictTests
        ),
    ]
)

// MARK: - The optimised tests alone

// `deploy/test` builds the tests that need optimised code a second time, with what they need and
// nothing else.
if Context.environment["RELOAD_ROUTER_TESTS"] == "optimised" {
    let needed: Set = ["AllocationTests", "WidgetMatchingTests"]
    let unneeded: Set = [
        "reload-router", "RouterServer", "RouterSimulation", "ReloadRouterClient", "LibuvLoop",
        "HTTPFetching", "HTTPServing", "AdminHTTP", "WidgetTimelines", "OriginAccess",
        "DeviceSimulation", "OriginSimulation", "OriginServer", "ExampleWidgets", "DevicePage",
        "Dashboard", "TopView", "LoadReporting", "WidgetFleet", "CaptureFiles", "CaptureTap",
        "BurstShapes", "CaptureReplay",
    ]
    package.targets.first { $0.name == "WidgetMatchingTests" }!.sources = ["Model"]
    package.products = []
    package.targets.removeAll { target in
        target.type == .test ? !needed.contains(target.name) : unneeded.contains(target.name)
    }
}

// MARK: - The fuzzers alone

// `deploy/fuzz` builds what is fuzzed with counters at each branch, for libFuzzer, and with the
// assertions of a debug build, which check each read of a `ByteView`.
if Context.environment["RELOAD_ROUTER_TESTS"] == "fuzzing" {
    let instrumented: [SwiftSetting] = [
        .unsafeFlags(["-sanitize=fuzzer", "-assert-config", "Debug", "-enable-testing"])
    ]
    let needed: Set = [
        "CXXHash", "CZstd", "CIntrinsics", "CMicroHTTPD", "ByteStorage", "ReloadModel", "Threading",
        "StoreFormat", "CaptureFormat", "CaptureFiles", "RouterMetrics", "StrictJSON", "FrameCodec",
        "EventPatterns", "WidgetMatching", "ReloadScheduling", "PayloadFields", "RouterCore",
        "HTTPServing", "ServiceLogging", "AdminHTTP", "TestSupport",
    ]
    package.products = []
    package.targets.removeAll { !needed.contains($0.name) }
    for target in package.targets where target.swiftSettings != nil {
        target.swiftSettings! += instrumented
    }
    package.targets += [
        .target(name: "FuzzingDriver", path: "Tests/Fuzzing/Driver"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "FuzzingDriver", "ByteStorage", "ReloadModel", "StoreFormat", "CaptureFormat",
                "CaptureFiles", "StrictJSON", "FrameCodec", "EventPatterns", "WidgetMatching",
                "RouterCore", "HTTPServing", "AdminHTTP", "TestSupport",
            ],
            path: "Tests",
            // The models that the unit tests compare with are built into it.
            sources: [
                "Fuzzing/Sources",
                "AdminHTTPTests/FakePort.swift",
                "EventPatternsTests/PatternTexts.swift", "EventPatternsTests/SlowAddress.swift",
                "EventPatternsTests/SlowWildcard.swift",
                "RouterCoreTests/Router+Image.swift", "RouterCoreTests/Router+Secrets.swift",
                "RouterCoreTests/StateImage.swift",
                "StrictJSONTests/ReferenceValidator.swift", "StrictJSONTests/SlowDecimal.swift",
                "StrictJSONTests/TestSupport.swift",
                "WidgetMatchingTests/Model/MatcherHarness.swift",
                "WidgetMatchingTests/Model/MatcherUsage.swift",
                "WidgetMatchingTests/Model/ModelRegexp.swift",
                "WidgetMatchingTests/Model/ModelRegexpReader.swift",
                "WidgetMatchingTests/Model/PatternWords.swift",
                "WidgetMatchingTests/Model/WidgetMatcher+Seed.swift",
            ],
            swiftSettings: strictTests + instrumented + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),
    ]
}
