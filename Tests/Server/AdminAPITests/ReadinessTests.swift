import Basics
import StoreFormat
import TestSupport
import Testing

@testable import AdminAPI

@Suite("Readiness, and why not")
struct ReadinessTests {
    private func reasons(_ change: (inout RouterStatus) -> Void) -> [String] {
        var status = RouterStatus(time: 100_000)
        change(&status)
        return Readiness(.status(status)).reasons
    }

    @Test func aRouterThatServesIsReady() {
        #expect(reasons { _ in } == [])
        #expect(reasons { $0.store = StoreStatus() } == [])
        #expect(Readiness(.status(RouterStatus(time: 0))).isReady)
    }

    @Test func whileTheStoreIsLoadedItIsNot() {
        #expect(Readiness(.loading).reasons == ["loading the store"])
        #expect(!Readiness(.loading).isReady)
    }

    @Test func aLoopThatIsSilentIsSaidForHowLong() {
        #expect(
            Readiness(.silent(for: 3_999)).reasons
                == ["the loop has not answered for 3 s"]
        )
    }

    @Test func aStoreThatFailsIsSaidWithItsCodeAndForHowLong() {
        let said = reasons {
            $0.store = StoreStatus()
            $0.store!.failure = StoreStatus.Failure(code: .full, since: 88_000)
        }
        #expect(
            said == [
                "the store fails (store-full), for 12 s now: nothing is acknowledged until it "
                    + "works again"
            ]
        )
    }

    @Test func inputsThatWaitAreSaid() {
        let said = reasons {
            $0.areInputsPaused = true
            $0.store = StoreStatus()
            $0.store!.waitingJournalByteCount = 300
            $0.store!.uncommittedByteCount = 40
        }
        #expect(
            said == [
                "no connection is read: 300 bytes of journal wait for the store, and 40 bytes of "
                    + "answers for the journal"
            ]
        )
    }

    @Test func allReasonsAreSaid() {
        let said = reasons {
            $0.isDraining = true
            $0.areInputsPaused = true
            $0.store = StoreStatus()
            $0.store!.failure = StoreStatus.Failure(code: .io, since: 0)
        }
        #expect(said.count == 3)
        #expect(said[0] == "draining: no new connections are accepted")
    }
}
