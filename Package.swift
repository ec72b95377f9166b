// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The table below is the map of the code: a floor after the other, a target a line. A target may
// import what its line names and nothing else (`deploy/test` passes
// --explicit-target-dependency-import-check error), and a line names only what stands above it.

// MARK: - The table

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)

/// A floor: a folder in `Sources`, and in `Tests` one for the tests of what is in it.
enum Floor: String, CaseIterable {
    /// Libraries of the system, and C: module maps, one Swift owner each.
    case system = "System"
    /// Plain values, the memory they lie in, and what a program needs of its machine.
    case base = "Base"
    /// Pure: no clock, socket, file or randomness.
    case steps = "Steps"
    /// Pure: frames and time in, frames out.
    case decision = "Decision"
    /// One thing outside of the process each.
    case adapters = "Adapters"
    /// The assembly that ships.
    case server = "Server"
    /// For those who push, for devices, and for operators.
    case clients = "Clients"
    /// WidgetKit's names for widget code on Linux.
    case widgets = "Widgets"
    /// What measures and plays.
    case lab = "Lab"
    /// Apple's modules by their names, for the sources of widget extensions on Linux.
    case appleModules = "AppleModules"
    /// What people type.
    case commands = "Commands"
}

/// On Apple's systems, the modules are Apple's own.
#if os(Linux)
let games: [Target] = [
    // The example for iOS without the file that has the app's scenes, which SwiftUI has on Apple's
    // systems alone.
    .executableTarget(
        name: "GameOnIOS",
        dependencies: ["ReloadRouterKit", "SwiftUI", "WidgetKit", "AppIntents"],
        path: "deploy/examples/ios",
        exclude: [
            "README.md", "project.yml", "App/GameApp.swift", "App/App.entitlements",
            "Widgets/Widgets.entitlements",
        ],
        swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .testTarget(
        name: "GameOnIOSTests",
        dependencies: [
            "GameOnIOS", "ReloadRouterKit", "WidgetKit", "AppIntents", "WidgetTimelines",
        ],
        path: "Tests/AppleModules/GameOnIOSTests",
        swiftSettings: [.swiftLanguageMode(.v6)]
    ),
]
let appleModules = [
    Row(macros: "PreviewMacros"),
    Row("WidgetPreviews", "PreviewMacros WidgetTimelines", tests: nil),
    Row("AppIntents", "WidgetIntents", tests: nil),
    Row("Intents", "WidgetIntents", tests: nil),
    Row("ActivityKit", "WidgetTimelines", tests: nil),
    Row("UIKit", "WidgetViews", tests: nil),
    Row("SwiftUI", "WidgetTimelines WidgetPreviews WidgetFleet", tests: nil),
    Row("WidgetKit", "WidgetTimelines WidgetPreviews WidgetFleet", tests: nil),
]
#else
let games: [Target] = []
let appleModules: [Row] = []
#endif

let table: [(Floor, [Row])] = [
    (
        .system,
        [
            Row(library: "CLibuv", pkgConfig: "libuv", debian: "libuv1-dev"),
            Row(library: "CXXHash", debian: "libxxhash-dev"),
            Row(library: "CZstd", pkgConfig: "libzstd", debian: "libzstd-dev"),
            Row(library: "CRocksDB", debian: "librocksdb-dev"),
            Row(library: "CHTTPParser", debian: "libhttp-parser-dev"),
            Row(library: "CNGHTTP2", pkgConfig: "libnghttp2", debian: "libnghttp2-dev"),
            Row(library: "COpenSSL", pkgConfig: "openssl", debian: "libssl-dev"),
            Row(c: "CRocksOptions", "CRocksDB"),
            Row(c: "CIntrinsics"),
        ]
    ),
    (
        .base,
        [
            Row("Basics", "CIntrinsics"),
            Row("Platform", "Basics", [logging]),
        ]
    ),
    (
        .steps,
        [
            Row("FrameCodec", "Basics"),
            Row("Credentials", "Basics FrameCodec", tests: "Cryptography"),
            Row("APNsProtocol", "Basics"),
            Row("EventPatterns", "Basics"),
            Row("StoreFormat", "CXXHash Basics"),
            Row("WidgetMatching", "Basics EventPatterns StoreFormat"),
            Row("ReloadScheduling", "Basics StoreFormat"),
            Row("ChangeDetection", "Basics EventPatterns StoreFormat"),
            Row(
                "CaptureFormat",
                "Basics FrameCodec StoreFormat",
                tests: "WidgetMatching RouterCore"
            ),
        ]
    ),
    (
        .decision,
        [Row("RouterCore", "Basics steps", tests: "DurableStore RouterStore")]
    ),
    (
        .adapters,
        [
            Row("Cryptography", "COpenSSL Basics Credentials"),
            Row("LibuvLoop", "CLibuv Basics Cryptography"),
            Row("DurableStore", "CRocksDB CRocksOptions base StoreFormat"),
            Row("HTTPMessages", "CHTTPParser Basics"),
            Row("HTTPServing", "base Credentials Cryptography LibuvLoop HTTPMessages"),
            Row("HTTP2", "CNGHTTP2 Basics"),
            Row(
                "APNsConnections",
                "Basics APNsProtocol Cryptography LibuvLoop HTTP2",
                tests: nil
            ),
            Row("HTTPFetching", "Basics Cryptography LibuvLoop HTTPMessages"),
            Row("CaptureFiles", "CZstd base FrameCodec StoreFormat CaptureFormat"),
        ]
    ),
    (
        .server,
        [
            Row("RouterStore", "base StoreFormat RouterCore DurableStore"),
            Row(c: "CAdminFiles", "CIntrinsics"),
            Row(
                "AdminAPI",
                """
                CIntrinsics CAdminFiles base FrameCodec Credentials StoreFormat RouterCore \
                Cryptography HTTPMessages HTTPServing
                """,
                files: "Dashboard/Resources",
                tests: "CAllocationCounter EventPatterns"
            ),
            Row(
                "RouterServer",
                """
                base steps RouterCore Cryptography LibuvLoop HTTPMessages HTTPServing HTTP2 \
                APNsConnections CaptureFiles RouterStore AdminAPI
                """,
                [logging]
            ),
        ]
    ),
    (
        .clients,
        [
            Row(
                "ReloadRouterClient",
                """
                base FrameCodec Credentials Cryptography LibuvLoop HTTPMessages HTTPFetching
                """,
                tests: "HTTPServing"
            ),
            // For apps: nothing but Foundation, which no program of ours links. It has a manifest of
            // its own, by which an Xcode project adds it alone.
            Row("ReloadRouterKit", files: "Package.swift"),
        ]
    ),
    (
        .widgets,
        [
            Row("WidgetIntents", tests: nil),
            Row("WidgetViews", "WidgetIntents", tests: nil),
            Row(
                "WidgetTimelines",
                "WidgetIntents WidgetViews",
                tests: names(of: appleModules)
            ),
            Row("ExampleWidgets", "WidgetTimelines"),
        ]
    ),
    (
        .lab,
        [
            Row(c: "CLabFiles", "CIntrinsics"),
            Row("LoadReporting", "CLabFiles base", files: "Resources"),
            Row(
                "RouterSimulation",
                "base steps RouterCore ReloadRouterClient WidgetTimelines LoadReporting",
                tests: "CaptureTools"
            ),
            Row(
                "APNsMock",
                "Basics Credentials APNsProtocol Cryptography LibuvLoop HTTP2",
                tests: "APNsConnections Platform"
            ),
            Row(
                "WidgetFleet",
                """
                CLabFiles base steps RouterCore Cryptography LibuvLoop HTTPMessages HTTPServing \
                HTTPFetching ReloadRouterClient widgets LoadReporting RouterSimulation APNsMock
                """,
                [argumentParser],
                files: "DevicePage/Resources"
            ),
            Row(
                "CaptureTools",
                """
                base steps RouterCore Cryptography LibuvLoop CaptureFiles ReloadRouterClient \
                LoadReporting
                """
            ),
            Row(c: "CReferences", "CLibuv COpenSSL CRocksDB"),
        ]
    ),
    (.appleModules, appleModules),
    (
        .commands,
        [
            Row(
                "CommandSupport",
                """
                base FrameCodec ReloadScheduling Cryptography LibuvLoop HTTPMessages HTTPFetching \
                AdminAPI ReloadRouterClient
                """,
                [argumentParser, logging],
                tests: nil
            ),
            Row(
                program: "reload-router",
                """
                base steps RouterCore Cryptography LibuvLoop DurableStore HTTPMessages HTTPServing \
                HTTPFetching APNsConnections CaptureFiles server ReloadRouterClient CommandSupport
                """,
                [argumentParser, logging]
            ),
            Row(
                "Benchmarks",
                """
                base steps Cryptography LibuvLoop DurableStore HTTP2 APNsConnections AdminAPI \
                LoadReporting CReferences CommandSupport
                """,
                [argumentParser],
                tests: nil
            ),
            Row(
                program: "reload-lab",
                """
                base steps RouterCore Cryptography LibuvLoop HTTPMessages HTTPServing HTTPFetching \
                CaptureFiles server ReloadRouterClient widgets lab CommandSupport Benchmarks
                """,
                [argumentParser, logging]
            ),
        ]
    ),
]

// MARK: - What a line says

/// A target, and its tests: those of `X` are `XTests`, and may import what `X` may.
struct Row {
    enum Kind {
        case library(pkgConfig: String?, debian: String)
        case c, swift, program, macros
    }

    let name: String
    let kind: Kind
    /// Names of targets; a name of a floor, in small letters, is all of its Swift targets.
    let imports: String
    var products: [Target.Dependency] = []
    /// What in the folder is no code: files that a C target embeds, or a manifest.
    var files: String?
    /// What the tests import besides; nil if there are none.
    var tests: String?

    /// A library of the system, by its module map and the package that Debian has it in.
    init(library name: String, pkgConfig: String? = nil, debian: String) {
        self.init(name, .library(pkgConfig: pkgConfig, debian: debian), "")
    }

    /// A plug-in of the compiler.
    init(macros name: String) {
        self.init(name, .macros, "")
    }

    init(c name: String, _ imports: String = "") {
        self.init(name, .c, imports)
    }

    init(
        _ name: String,
        _ imports: String = "",
        _ products: [Target.Dependency] = [],
        files: String? = nil,
        tests: String? = ""
    ) {
        self.init(name, .swift, imports)
        self.products = products
        self.files = files
        self.tests = tests
    }

    init(program name: String, _ imports: String, _ products: [Target.Dependency]) {
        self.init(name, .program, imports)
        self.products = products
    }

    private init(_ name: String, _ kind: Kind, _ imports: String) {
        self.name = name
        self.kind = kind
        self.imports = imports
    }
}

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

// MARK: - From lines to targets

/// The names of rows' Swift targets.
func names(of rows: [Row]) -> String {
    rows.filter { if case .swift = $0.kind { true } else { false } }.map(\.name)
        .joined(separator: " ")
}

/// The names that a text names, floors spelled out.
func names(_ text: String) -> [String] {
    text.split(separator: " ").flatMap { word -> [String] in
        guard let floor = table.first(where: { $0.0.rawValue.lowercased() == word }) else {
            return [String(word)]
        }
        return floor.1.filter { if case .swift = $0.kind { true } else { false } }.map(\.name)
    }
}

func dependencies(_ text: String, _ products: [Target.Dependency] = []) -> [Target.Dependency] {
    var seen: Set<String> = []
    return names(text).filter { seen.insert($0).inserted }.map { .init(stringLiteral: $0) }
        + products
}

func target(_ row: Row, on floor: Floor) -> Target {
    let path = "Sources/\(floor.rawValue)/\(row.name)"
    let imports = dependencies(row.imports, row.products)
    switch row.kind {
    case .library(let pkgConfig, let debian):
        return .systemLibrary(
            name: row.name,
            path: path,
            pkgConfig: pkgConfig,
            providers: [.apt([debian])]
        )
    case .c: return .target(name: row.name, dependencies: imports, path: path)
    case .swift:
        return .target(
            name: row.name,
            dependencies: imports,
            path: path,
            exclude: row.files.map { [$0] } ?? [],
            swiftSettings: strict
        )
    case .macros: return .macro(name: row.name, path: path, swiftSettings: strict)
    case .program:
        return .executableTarget(
            name: row.name,
            dependencies: imports,
            path: path,
            swiftSettings: strict
        )
    }
}

func tests(_ row: Row, on floor: Floor) -> Target? {
    guard case .swift = row.kind, let more = row.tests else { return nil }
    return .testTarget(
        name: "\(row.name)Tests",
        dependencies: dependencies(
            "\(row.name) \(row.imports) Basics \(more) TestSupport",
            row.products
        ),
        path: "Tests/\(floor.rawValue)/\(row.name)Tests",
        swiftSettings: strictTests
    )
}

// A line names only what stands above it.
var above: Set<String> = []
for row in table.flatMap(\.1) {
    for name in names(row.imports) {
        precondition(above.contains(name), "\(row.name) names \(name), which stands below it")
    }
    above.insert(row.name)
}

let products: [Product] = [
    .library(name: "ReloadRouterClient", targets: ["ReloadRouterClient"]),
    .library(name: "ReloadRouterKit", targets: ["ReloadRouterKit"]),
    .library(name: "WidgetTimelines", targets: ["WidgetTimelines"]),
    .library(name: "WidgetFleet", targets: ["WidgetFleet"]),
    .executable(name: "reload-router", targets: ["reload-router"]),
    .executable(name: "reload-lab", targets: ["reload-lab"]),
]

/// Targets for tests alone, and tests of more than one target.
let testing: [Target] = [
    // A device that tests drive, with ReloadRouterKit.
    .executableTarget(
        name: "kit-device",
        dependencies: ["ReloadRouterKit"],
        path: "Tests/Support/KitDevice",
        swiftSettings: strictTests
    ),
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
    .target(
        name: "TestSupport",
        dependencies: ["Basics", "StoreFormat"],
        path: "Tests/Support/TestSupport",
        swiftSettings: strictTests
    ),
    .testTarget(
        name: "MisuseTests",
        dependencies: dependencies(
            """
            base steps RouterCore Cryptography LibuvLoop DurableStore HTTPMessages HTTPServing \
            HTTPFetching HTTP2 CaptureFiles TestSupport
            """
        ),
        path: "Tests/Support/MisuseTests",
        swiftSettings: strictTests
    ),
    .testTarget(
        name: "CommandTests",
        dependencies: ["reload-lab", "reload-router"]
            + dependencies(
                """
                Basics CaptureFormat Cryptography LibuvLoop HTTPMessages HTTPFetching \
                CommandSupport Benchmarks TestSupport
                """
            ),
        path: "Tests/Commands/CommandTests",
        exclude: ["Top/Cases"],
        swiftSettings: strictTests
    ),
]

let package = Package(
    name: "reload-router",
    // For apps that use ReloadRouterKit; everything else is for Linux.
    platforms: [.iOS(.v17), .macOS(.v14), .watchOS(.v10), .visionOS(.v1)],
    products: products
        + names(of: appleModules).split(separator: " ")
        .map { .library(name: String($0), targets: [String($0)]) },
    // Exact versions, so that every build links the same code.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: table.flatMap { floor, rows in
        rows.map { target($0, on: floor) } + rows.compactMap { tests($0, on: floor) }
    } + testing + games
)

// MARK: - Builds for tests

extension Package {
    /// Leaves only some targets and what these are made of.
    func keep(only names: [String]) {
        var needed: Set<String> = []
        var open = names
        while let name = open.popLast() {
            guard needed.insert(name).inserted else { continue }
            guard let target = targets.first(where: { $0.name == name }) else { continue }
            for case .byNameItem(let name, _) in target.dependencies { open.append(name) }
        }
        products = []
        targets.removeAll { !needed.contains($0.name) }
    }

    /// Adds settings to the Swift targets that a condition chooses.
    func add(_ settings: [SwiftSetting], where isChosen: (Target) -> Bool) {
        for target in targets where target.swiftSettings != nil && isChosen(target) {
            target.swiftSettings! += settings
        }
    }
}

/// What hot paths allocate, which nothing can be said of where they are not optimised.
let allocationTests = Target.testTarget(
    name: "AllocationTests",
    dependencies: dependencies(
        "base steps RouterCore DurableStore RouterStore CAllocationCounter TestSupport"
    ),
    path: "Tests/Support/AllocationTests/Cases",
    swiftSettings: strictTests
)

/// Each parser with bytes of others: run by libFuzzer, or once with each saved input. The models that
/// the unit tests compare with are built into it.
let fuzzedParts = """
    Basics StoreFormat CaptureFormat CaptureFiles FrameCodec Credentials EventPatterns WidgetMatching \
    ReloadScheduling RouterCore HTTPMessages HTTPServing AdminAPI APNsProtocol HTTP2 TestSupport
    """
func fuzzer(byLibFuzzer: Bool) -> [Target] {
    [
        .target(
            name: "FuzzingDriver",
            path: "Tests/Fuzzing/Driver",
            cSettings: byLibFuzzer ? [.define("LIBFUZZER")] : []
        ),
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzingDriver"] + dependencies(fuzzedParts),
            path: "Tests/Fuzzing",
            exclude: ["Corpus", "Counters", "Dictionaries", "Driver", "seed.py"],
            sources: ["Sources", "Models"],
            swiftSettings: strictTests + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: byLibFuzzer ? [.unsafeFlags(["-sanitize=fuzzer"])] : []
        ),
    ]
}

switch Context.environment["RELOAD_ROUTER_TESTS"] {
case let tests where tests == "all" || tests == "fuzzing":
    // One build for all tests, with assertions. What a router's work is made of is optimised, so that
    // simulations are quick and allocations are those of a release; all else is compiled quickly.
    package.targets += [allocationTests] + fuzzer(byLibFuzzer: tests == "fuzzing")
    if tests == "fuzzing" {
        // Counters at each branch of what is fuzzed. Other programs of this build leave them alone.
        let counters = "FuzzingCounters"
        package.targets.append(.target(name: counters, path: "Tests/Fuzzing/Counters"))
        package.targets.first { $0.name == "Basics" }!.dependencies.append(
            .init(stringLiteral: counters)
        )
        let counted = Set(names(fuzzedParts) + ["fuzz"]).subtracting(["TestSupport"])
        package.add([.unsafeFlags(["-sanitize=fuzzer"])]) { counted.contains($0.name) }
    }
    let optimised = Set(
        names("base steps decision adapters RouterStore RouterSimulation")
            + ["AllocationTests", "MisuseTests"]
    )
    let flags = ["-O", "-assert-config", "Debug"]
    package.add([.unsafeFlags(flags)]) { optimised.contains($0.name) }
    // A module by one process: several would each read all of it, which takes a quarter longer. Macros
    // take most of the time of the tests' own modules.
    package.add([.unsafeFlags(["-whole-module-optimization", "-num-threads", "2"])]) {
        $0.type != .test || optimised.contains($0.name)
    }
    if tests == "fuzzing" {
        // Nobody changes a line of this build's tests and waits for it: the compiler reads a module once.
        package.add([
            .unsafeFlags([
                "-whole-module-optimization", "-num-threads", "1", "-no-emit-module-separately-wmo",
            ])
        ]) { $0.type == .test && !optimised.contains($0.name) }
    }
    // Backtraces have lines, and debuggers little else. To the compiler itself, because SwiftPM adds
    // -g after these flags.
    package.add([.unsafeFlags(["-Xfrontend", "-gline-tables-only"])]) { $0.type != .test }
    package.add([.unsafeFlags(["-Xfrontend", "-gnone"])]) { $0.type == .test }
case "released":
    // What is asked of a release's modules as they are: what hot paths allocate, and whether the matcher
    // finds what its model does, which plays long.
    package.targets.append(allocationTests)
    package.targets.first { $0.name == "WidgetMatchingTests" }!.sources = ["Model"]
    package.keep(only: ["AllocationTests", "WidgetMatchingTests"])
case "unasserted":
    // The tests that need what is not visible in a release: what safe code cannot break is a matter of the
    // checks that a release has, which are without assertions. The optimiser, which takes most of a build,
    // has its say in the build of all tests.
    package.keep(only: ["MisuseTests"])
    package.add([.unsafeFlags(["-Onone", "-assert-config", "Release"])]) { _ in true }
default: break
}
