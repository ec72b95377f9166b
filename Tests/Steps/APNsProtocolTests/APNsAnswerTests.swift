import DataStructures
import Testing
import Times

@testable import APNsProtocol

@Suite("An answer of APNs")
struct APNsAnswerTests {
    private func answer(_ status: Int, _ body: String = "") -> APNsAnswer {
        Array(body.utf8).withByteView { APNsAnswer(status: status, body: $0) }
    }

    @Test(arguments: APNsReason.allCases)
    func `Each reason has the verdict that Apple's page wants`(reason: APNsReason) {
        let verdict = answer(reason.status, #"{"reason":"\#(reason.rawValue)"}"#).verdict
        switch reason {
        case .badDeviceToken, .deviceTokenNotForTopic: #expect(verdict == .tokenRefused)
        case .unregistered, .expiredToken: #expect(verdict == .tokenDead(since: nil))
        case .expiredProviderToken: #expect(verdict == .renewToken)
        case .tooManyProviderTokenUpdates: #expect(verdict == .later(.seconds(1_200)))
        case .tooManyRequests, .internalServerError, .serviceUnavailable:
            #expect(verdict == .later(.seconds(900)))
        case .shutdown: #expect(verdict == .elsewhere(.seconds(900)))
        case .idleTimeout: #expect(verdict == .elsewhere(.zero))
        default:
            // Credentials stop the app, and its queue is kept; all others are wrong pushes.
            let isCredential = reason.status == 403 && reason != .forbidden
            #expect(verdict == (isCredential || reason == .topicDisallowed ? .stopped : .dropped))
        }
    }

    @Test func `A dead token says since when`() {
        let answer = answer(410, #"{"reason":"Unregistered","timestamp":1748775600000}"#)
        #expect(
            answer.verdict == .tokenDead(since: WallTime(rawValue: 1_748_775_600_000))
        )
    }

    @Test func `A reason that is not known is kept for people, and the status decides`() {
        let answer = answer(403, #"{"reason":"NewReason"}"#)
        #expect(answer.text == "NewReason")
        #expect(answer.reason == nil)
        #expect(answer.verdict == .stopped)
        #expect(self.answer(502).verdict == .later(.seconds(900)))
        #expect(self.answer(418).verdict == .dropped)
        #expect(self.answer(200).verdict == .accepted)
    }

    @Test func `A long reason is cut, and what is not seen in it is shown`() {
        let long = String(repeating: "x", count: 3_000)
        #expect(answer(400, #"{"reason":"\#(long)"}"#).text.utf8.count < 128)
        #expect(answer(400, #"{"reason":"a\u202eb"}"#).text == #"a\u202eb"#)
    }

    @Test(arguments: ["", "{", "[]", #"{"reason":7}"#, "\u{0}", String(repeating: "[", count: 99)])
    func `A body of another form says nothing`(body: String) {
        #expect(answer(500, body).text == "")
        #expect(answer(500, body).verdict == .later(.seconds(900)))
    }
}
