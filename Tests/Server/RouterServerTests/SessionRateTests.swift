import Basics
import Testing

@testable import RouterServer

@Suite("The rate of sessions")
struct SessionRateTests {
    private func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(rawValue: 1_000_000 + milliseconds)
    }

    @Test func `It is that of the half second before until the present one has more`() {
        var rate = SessionRate()
        #expect(rate.perSecond(at: time(0)) == 0)
        for _ in 0..<100 { rate.sessionBegins(at: time(0)) }
        #expect(rate.perSecond(at: time(10)) == 200)
        rate.sessionBegins(at: time(500))
        #expect(rate.perSecond(at: time(510)) == 200)
        for _ in 0..<200 { rate.sessionBegins(at: time(600)) }
        #expect(rate.perSecond(at: time(610)) == 402)
    }

    @Test func `It is zero again a second after the last half second with sessions began`() {
        var rate = SessionRate()
        for _ in 0..<100 { rate.sessionBegins(at: time(0)) }
        #expect(rate.perSecond(at: time(999)) == 200)
        #expect(rate.perSecond(at: time(1_000)) == 0)
        // The count of long ago is not one of the half second before.
        rate.sessionBegins(at: time(5_000))
        #expect(rate.perSecond(at: time(5_001)) == 2)
    }
}
