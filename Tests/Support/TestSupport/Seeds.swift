import Glibc

/// The seeds that a simulation is played with: 1 to `count`.
///
/// With the environment variable RELOAD_ROUTER_SEEDS, every simulation that asks here is played
/// with other ones, for example with `1001-2000`: few seeds are enough to find out that a change
/// breaks something, many to find what is rare.
///
/// - Returns: the seeds in order.
package func seeds(_ count: UInt64) -> [UInt64] {
    guard let text = getenv("RELOAD_ROUTER_SEEDS").map({ String(cString: $0) }) else {
        return Array(1...count)
    }
    let ends = text.split(separator: "-").map { UInt64($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else {
        preconditionFailure("RELOAD_ROUTER_SEEDS is \(text); it must be FIRST-LAST")
    }
    return Array(first...last)
}
