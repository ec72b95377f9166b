import Basics
import Testing

@testable import APNsProtocol

@Suite("The age of a provider token")
struct ProviderTokenAgeTests {
    /// Minutes on the monotonic clock, and after a full half hour on the wall clock.
    private func instant(_ monotonic: Double, wall: Double) -> Instant {
        Instant(
            monotonic: MonotonicTime(rawValue: 60_000 + Int64(monotonic * 60_000)),
            wall: WallTime(rawValue: 1_700_001_000_000 + Int64(wall * 60_000))
        )
    }

    private func age(madeAt now: Instant) -> ProviderTokenAge {
        ProviderTokenAge(madeAt: now, issuedAt: ProviderTokenAge.issueTime(at: now.wall))
    }

    @Test func `It is dated from the last full half hour, whenever it is made`() {
        let dates = [0, 0.1, 7, 29.99].map {
            ProviderTokenAge.issueTime(at: instant(0, wall: $0).wall)
        }
        #expect(dates == Array(repeating: instant(0, wall: 0).wall, count: 4))
        #expect(
            ProviderTokenAge.issueTime(at: instant(0, wall: 30).wall) == instant(0, wall: 30).wall
        )
        #expect(dates[0].rawValue % (30 * 60_000) == 0)
    }

    @Test func `It is renewed at the next half hour`() {
        let token = age(madeAt: instant(0, wall: 1))
        #expect(!token.isDue(at: instant(28.9, wall: 29.9)))
        #expect(token.isDue(at: instant(29, wall: 30)))
    }

    @Test func `It stays for 20 minutes, however late in its half hour it was made`() {
        let token = age(madeAt: instant(0, wall: 29))
        #expect(
            !token.isDue(at: instant(1, wall: 30)) && !token.isDue(at: instant(19.9, wall: 48.9))
        )
        #expect(token.isDue(at: instant(20, wall: 49)), "younger than Apple's hour")
    }

    @Test func `A clock that is set makes it due, unless it is set back a little`() {
        let token = age(madeAt: instant(0, wall: 1))
        #expect(!token.isDue(at: instant(0.1, wall: -4)))
        #expect(token.isDue(at: instant(0.1, wall: -6)), "one of the future")
        #expect(token.isDue(at: instant(0.1, wall: 55)), "too old for Apple")
        #expect(!token.isDue(at: instant(0.1, wall: 40)), "Apple takes both")
    }

    @Test func `Apple accepts a successor after 20 minutes`() {
        let token = age(madeAt: instant(0, wall: 0))
        #expect(!token.mayBeReplaced(at: instant(19.99, wall: 500)))
        #expect(token.mayBeReplaced(at: instant(20, wall: 0)))
    }
}
