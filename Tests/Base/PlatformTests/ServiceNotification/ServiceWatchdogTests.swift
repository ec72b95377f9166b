import Basics
import Platform
import TestSupport
import Testing

@Suite("A watchdog")
struct ServiceWatchdogTests {
    @Test("is fed at once, and then each half of its time")
    func halves() {
        var watchdog = ServiceWatchdog(silence: 1_000_000)
        #expect(watchdog.isDue(at: 10))
        watchdog.recordSignSent(at: 10)
        #expect(!watchdog.isDue(at: 509))
        #expect(watchdog.isDue(at: 510))
        watchdog.recordSignSent(at: 700)
        #expect(!watchdog.isDue(at: 1_199))
        #expect(watchdog.isDue(at: 1_200))
    }

    @Test("has a time of at least a millisecond", arguments: [1, 1_999, 2_000] as [Int64])
    func shortest(microseconds: Int64) {
        #expect(ServiceWatchdog(silence: Microseconds(rawValue: microseconds)).interval == 1)
    }
}
