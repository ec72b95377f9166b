import Basics
import Testing

@testable import APNsProtocol

@Suite("The pace of connections to APNs")
struct ConnectionPaceTests {
    private let start = MonotonicTime(rawValue: 1_000_000)

    /// Opens connections as soon as that is allowed.
    ///
    /// - Returns: how many were opened.
    private func opened(_ pace: inout ConnectionPace, from: Int, to: Int) -> Int {
        var count = 0
        for time in from..<to {
            let now = start + .milliseconds(Int64(time))
            while pace.canOpen(at: now) {
                pace.opened(at: now)
                count += 1
            }
        }
        return count
    }

    @Test func `A peer that ends each connection at once gets a few, and then one a second`() {
        var pace = ConnectionPace()
        let atOnce = opened(&pace, from: 0, to: 1)
        #expect(atOnce == ConnectionPace.burst)
        let later = opened(&pace, from: 1, to: 9_500)
        #expect(later == 9)
    }

    @Test func `All connections are replaced at once after a time without new ones`() {
        var pace = ConnectionPace()
        _ = opened(&pace, from: 0, to: 20_000)
        let again = opened(&pace, from: 28_000, to: 28_001)
        #expect(again == ConnectionPace.burst)
    }
}
