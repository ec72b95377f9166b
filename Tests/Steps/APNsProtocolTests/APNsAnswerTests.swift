import Basics
import Testing

@testable import APNsProtocol

@Suite("An answer of APNs")
struct APNsAnswerTests {
    private func answer(
        _ status: Int,
        _ body: String = "",
        hasID: Bool = true,
        contentType: String? = nil
    ) -> APNsAnswer {
        Array(body.utf8).withByteView {
            APNsAnswer(status: status, hasID: hasID, contentType: contentType, body: $0)
        }
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
        #expect(self.answer(502, #"{"reason":"New"}"#).verdict == .later(.seconds(900)))
        #expect(self.answer(418, #"{"reason":"New"}"#).verdict == .dropped)
        #expect(self.answer(200).verdict == .accepted)
    }

    @Test(arguments: [
        (404, "<html>Not Found</html>"), (401, ""), (301, ""), (200, "<!doctype html>"),
        (200, ""), (410, "Gone"), (403, #"{"message":"Forbidden"}"#), (502, "<html>"), (400, ""),
    ])
    func `An answer that has not Apple's form is not believed`(status: Int, body: String) {
        let answer = answer(status, body, hasID: status == 400)
        #expect(answer.verdict == .strange && answer.cause == .answer)
        #expect(answer.strangeness?.hasPrefix("status \(status)") == true)
        #expect(answer.isBusy == (status == 502))
    }

    @Test func `A reason of Apple's with its status is believed without an id, others are not`() {
        let known = #"{"reason":"BadDeviceToken"}"#
        #expect(answer(400, known, hasID: false).verdict == .tokenRefused)
        #expect(answer(404, known, hasID: false).verdict == .strange)
        #expect(answer(404, known).verdict == .tokenRefused)
        #expect(answer(403, #"{"reason":"Blocked"}"#, hasID: false).verdict == .strange)
        #expect(answer(200, "{}").verdict == .strange)
    }

    @Test func `A strange answer is described without the secrets that it may repeat`() {
        let token = String(repeating: "0fA9", count: 16)
        let signed = "eyJhbGciOiJFUzI1NiJ9ab.eyJpc3MiOiJURUFNMDEyMzQ1In0.c2ln-nature_0123456789abc"
        let page = "<pre>Cannot POST /3/device/\(token)\n(bearer \(signed))\u{202e}</pre>"
        let found = answer(404, page, hasID: false, contentType: "text/html; charset=utf-8")
            .strangeness
        #expect(
            found == "status 404, no apns-id, text/html; charset=utf-8, a body that begins: "
                + #"<pre>Cannot POST /3/device/…\u000a(bearer ….….…)\u202e</pre>"#
        )
        let long = answer(404, String(repeating: "word ", count: 800)).strangeness
        #expect(long.map { $0.utf8.count <= 204 } == true)
    }

    @Test func `A long reason is cut, and what is not seen in it is shown`() {
        let long = String(repeating: "x", count: 3_000)
        #expect(answer(400, #"{"reason":"\#(long)"}"#).text.utf8.count < 128)
        #expect(answer(400, #"{"reason":"a\u202eb"}"#).text == #"a\u202eb"#)
    }

    @Test(arguments: ["", "{", "[]", #"{"reason":7}"#, "\u{0}", String(repeating: "[", count: 99)])
    func `A body of another form says nothing`(body: String) {
        #expect(answer(500, body).text == "")
        #expect(answer(500, body).verdict == .strange)
    }
}
