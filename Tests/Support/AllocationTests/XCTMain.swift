import Testing

/// The entry of the program that all tests are built into.
///
/// SwiftPM makes one of an index of the tests' sources, for which the compiler takes a fifth of its
/// time, in order to list XCTest's tests; there are none. It finds this one beside `Cases`, which
/// only builds with RELOAD_ROUTER_TESTS have, so that `swift test` keeps its filters.
@main
struct XCTMain {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
