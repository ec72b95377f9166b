import Basics
import Testing

@testable import APNsProtocol

@Suite("The breaker of an app's pushes")
struct LaneBreakerTests {
    private let start = MonotonicTime(rawValue: 1_000_000)

    private func device(_ number: Int) -> DeviceID { DeviceID(rawValue: UInt32(number)) }

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

    @Test func `Stops when nearly all of many devices are refused`() {
        var breaker = LaneBreaker()
        for number in 1...TokenEvidence.deviceLimit {
            let stops = breaker.refusedToken(of: device(number), at: start)
            #expect(stops == (number == TokenEvidence.deviceLimit))
        }
        #expect(breaker.cause == .tokens)
    }

    @Test func `Is not stopped by one device, which is blocked alone, for longer each time`() {
        var breaker = LaneBreaker()
        var now = start
        var blocks: [Milliseconds] = []
        for _ in 1...12 {
            let stops = breaker.refusedToken(of: device(1), at: now)
            #expect(!stops && breaker.canSend(at: now))
            #expect(breaker.evidence.block(of: device(2), at: now) == .zero)
            blocks.append(breaker.evidence.block(of: device(1), at: now))
            now = now + blocks.last!
        }
        #expect(blocks.map { $0.rawValue / 60_000 } == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
        let resumes = breaker.accepted(device(1))
        #expect(!resumes && breaker.evidence.block(of: device(1), at: now) == .zero)
    }

    @Test func `Is not stopped by a cohort of bad tokens among devices that are reached`() {
        var breaker = LaneBreaker()
        for number in 1...40 { _ = breaker.accepted(device(1_000 + number)) }
        for number in 1...100 {
            let stops = breaker.refusedToken(of: device(number), at: start)
            #expect(!stops, "\(number) of them")
        }
    }

    @Test func `Forgets in time what was accepted before all devices were refused`() {
        var breaker = LaneBreaker()
        for number in 1...10_000 { _ = breaker.accepted(device(10_000 + number)) }
        let stopped = (1...1_000).first { breaker.refusedToken(of: device($0), at: start) }
        #expect(stopped.map { (200...500).contains($0) } == true, "\(stopped ?? 0)")
    }

    @Test func `Sends one probe after a pause, and pushes again once it is accepted`() {
        var breaker = stopped()
        let due = start + LaneBreaker.probePause
        #expect(!breaker.canSend(at: due - .milliseconds(1)) && breaker.canSend(at: due))
        breaker.sent()
        #expect(!breaker.canSend(at: due), "one at a time")
        let resumes = breaker.accepted(device(1))
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
            _ = breaker.refusedToken(of: device(1), at: start)
            #expect((breaker.cause == nil) == (cause != .tokens))
        }
    }

    @Test func `Is not moved by pushes that were under way when it stopped`() {
        var breaker = stopped()
        breaker.ended(at: start + .seconds(1))
        _ = breaker.refusedToken(of: device(1), at: start + .seconds(1))
        #expect(breaker.cause == .credentials)
        #expect(breaker.canSend(at: start + LaneBreaker.probePause))
    }

    @Test func `Has a cause for each answer that stops`() {
        for reason in APNsReason.allCases {
            let body = #"{"reason":"\#(reason.rawValue)"}"#
            let answer = Array(body.utf8).withByteView {
                APNsAnswer(status: reason.status, hasID: true, body: $0)
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
