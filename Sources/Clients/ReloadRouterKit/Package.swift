// swift-tools-version: 6.2
import PackageDescription

/// The kit alone, for Xcode projects: without the server, and without its dependencies. The package
/// of the whole repository has it as a target, with the same settings.
let package = Package(
    name: "ReloadRouterKit",
    platforms: [.iOS(.v17), .macOS(.v14), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "ReloadRouterKit", targets: ["ReloadRouterKit"])],
    targets: [
        .target(
            name: "ReloadRouterKit",
            path: ".",
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ]
)
