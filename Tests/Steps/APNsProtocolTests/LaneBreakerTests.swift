import DataStructures
import Testing
import Times

@testable import APNsProtocol

@Suite("The breaker of an app's pushes")
struct LaneBreakerTests {
    private let start = MonotonicTime(rawValue: 1_000_000)

    private func stopped(by cause: LaneBreaker.Cause = .credentials) -> LaneBreaker {
        var breaker = LaneBreaker()
        let isNew = breaker.stop(cause, at: start)
        #expect(isNew)
        return breaker
    }

    @Test func `Stops at once when APNs refuses the app's settings, and says so once`() {
        var breaker = LaneBreaker()
        #expect(breaker.canSend(at: start))
        let isNew = breaker.stop(.topic, at: start)
        #expect(isNew)
        #expect(breaker.cause == .topic && !breaker.canSend(at: start))
        // Others were under way.
        let isAnotherStop = breaker.stop(.topic, at: start)
        #expect(!isAnotherStop)
    }

    @Test func `Stops after tokens refused in a row, which an accepted push interrupts`() {
        var breaker = LaneBreaker()
        for _ in 1..<LaneBreaker.refusedLimit {
            let stops = breaker.refusedToken(at: start)
            #expect(!stops)
        }
        let resumes = breaker.accepted()
        #expect(!resumes)
        for number in 1...LaneBreaker.refusedLimit {
            let stops = breaker.refusedToken(at: start)
            #expect(stops == (number == LaneBreaker.refusedLimit))
        }
        #expect(breaker.cause == .tokens)
    }

    @Test func `Sends one probe after a pause, and pushes again once it is accepted`() {
        var breaker = stopped()
        let due = start + LaneBreaker.probePause
        #expect(!breaker.canSend(at: due - .milliseconds(1)) && breaker.canSend(at: due))
        breaker.sent()
        #expect(!breaker.canSend(at: due), "one at a time")
        let resumes = breaker.accepted()
        #expect(resumes)
        #expect(breaker.cause == nil && breaker.canSend(at: due))
    }

    @Test func `Stays stopped when its probe is refused or has no answer`() {
        for cause in LaneBreaker.Cause.allCases {
            var breaker = stopped(by: cause)
            let due = start + LaneBreaker.probePause
            breaker.sent()
            let isAnotherStop = breaker.stop(cause, at: due)
            #expect(!isAnotherStop && !breaker.canSend(at: due))
            breaker.sent()
            breaker.ended(at: due)
            #expect(breaker.cause == cause && !breaker.canSend(at: due))
            #expect(breaker.canSend(at: due + LaneBreaker.probePause))
        }
    }

    @Test func `Takes a probe whose token is refused as proof of credentials, but not of tokens`() {
        for cause in LaneBreaker.Cause.allCases {
            var breaker = stopped(by: cause)
            breaker.sent()
            _ = breaker.refusedToken(at: start)
            #expect((breaker.cause == nil) == (cause != .tokens))
        }
    }

    @Test func `Is not moved by pushes that were under way when it stopped`() {
        var breaker = stopped()
        breaker.ended(at: start + .seconds(1))
        _ = breaker.refusedToken(at: start + .seconds(1))
        #expect(breaker.cause == .credentials)
        #expect(breaker.canSend(at: start + LaneBreaker.probePause))
    }

    @Test func `Has a cause for each answer that stops`() {
        for reason in APNsReason.allCases {
            let body = #"{"reason":"\#(reason.rawValue)"}"#
            let answer = Array(body.utf8).withByteView {
                APNsAnswer(status: reason.status, body: $0)
            }
            if answer.verdict != .stopped { continue }
            #expect(answer.cause == (reason == .topicDisallowed ? .topic : .credentials))
        }
    }
}

@Suite("A pause before another attempt")
struct SpreadTests {
    @Test func `Is up to a third longer, evenly`() {
        let pause = Milliseconds.minutes(15)
        var random = SplitMix64(seed: 28)
        let pauses = (0..<10_000).map { _ in pause.spread(by: random.next()) }
        #expect(pauses.allSatisfy { (pause...(pause + .minutes(5))).contains($0) })
        let middle = pauses.count { $0 < pause + .milliseconds(150_000) }
        #expect((4_700...5_300).contains(middle), "\(middle) of 10,000 are in the first half")
    }

    @Test func `Stays none if there is none`() {
        #expect(Milliseconds.zero.spread(by: 17) == .zero)
        #expect(Milliseconds.milliseconds(2).spread(by: .max) == .milliseconds(2))
    }
}
