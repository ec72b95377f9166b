import ReloadModel
import Testing
import Times

@testable import APNsProtocol

@Suite("The age of a provider token")
struct ProviderTokenAgeTests {
    private func instant(_ monotonic: Int64, wall: Int64) -> Instant {
        Instant(
            monotonic: MonotonicTime(rawValue: monotonic * 1_000),
            wall: WallTime(rawValue: 1_700_000_000_000 + wall * 1_000)
        )
    }

    private let age = Milliseconds.seconds(45 * 60)

    @Test func `It is renewed after its time by either clock`() {
        let token = ProviderTokenAge(madeAt: instant(1_000, wall: 0))
        #expect(!token.isDue(at: instant(1_000 + 2_699, wall: 2_699), after: age))
        #expect(token.isDue(at: instant(1_000 + 2_700, wall: 2_699), after: age))
        #expect(token.isDue(at: instant(1_000 + 2_699, wall: 2_700), after: age))
    }

    @Test func `A wall clock that was set back makes it one of the future, which is renewed`() {
        let token = ProviderTokenAge(madeAt: instant(1_000, wall: 0))
        #expect(token.isDue(at: instant(1_001, wall: -1), after: age))
    }

    @Test func `Apple accepts a successor after 20 minutes`() {
        let token = ProviderTokenAge(madeAt: instant(1_000, wall: 0))
        #expect(!token.mayBeReplaced(at: instant(1_000 + 1_199, wall: 9_999)))
        #expect(token.mayBeReplaced(at: instant(1_000 + 1_200, wall: 0)))
    }
}
