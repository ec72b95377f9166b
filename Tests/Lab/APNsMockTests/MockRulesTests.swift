import APNsProtocol
import Basics
import Credentials
import Testing

@testable import APNsMock

@Suite("The mock of APNs answers")
struct MockRulesTests {
    private static let date = WallTime(rawValue: 1_800_000_000_000)

    /// A provider token whose claims are this JSON.
    private func bearer(
        _ claims: String = #"{"iss":"TEAM012345","iat":1800000000}"#,
        header: String = #"{"alg":"ES256","kid":"ABCDE12345"}"#
    ) -> String {
        "bearer \(encodeBase64URL(Array(header.utf8))).\(encodeBase64URL(Array(claims.utf8))).c2ln"
    }

    /// The answer to a push that is good but for what `change` does to it.
    private func answer(
        _ settings: MockSettings = MockSettings(),
        dead: String? = nil,
        _ change: (inout MockRequest) -> Void
    ) -> MockAnswer? {
        var rules = MockRules(settings, now: .zero)
        if let dead { rules.kill(dead, since: Self.date) }
        var request = MockRequest()
        request.method = "POST"
        request.path = "/3/device/" + String(repeating: "00ff", count: 16)
        request.authorization = bearer()
        request.pushType = "widgets"
        request.topic = "com.mygame.push-type.widgets"
        request.priority = "5"
        request.body = Array(#"{"aps":{"content-changed":true}}"#.utf8)
        change(&request)
        var connection = MockRules.Connection()
        return rules.answer(
            request,
            on: &connection,
            now: .zero,
            date: Self.date,
            draw: 0
        ) { _ in true }
    }

    @Test(arguments: [
        (#"{"iat":1800000000}"#, "no iss"), (#"{"iss":7,"iat":1800000000}"#, "iss is no text"),
        (#"{"iss":"","iat":1800000000}"#, "iss is empty"), (#"{"iss":"T"}"#, "no iat"),
        (#"{"iss":"T","iat":"soon"}"#, "iat is no number"),
        (#"{"iss":"T","iat":true}"#, "iat is no number"),
        (#"{"iss":"T","iat":1800000000000}"#, "must be in seconds"), ("[]", "no JSON object"),
    ])
    func `why a provider token is none`(claims: String, word: String) {
        let answer = answer { $0.authorization = bearer(claims) }
        #expect(answer?.reason == .invalidProviderToken)
        #expect(answer?.why?.contains(word) == true, "\(answer?.why ?? "-")")
    }

    @Test(arguments: [
        ("bearer x", "no signed token"), ("Basic x", "does not begin with bearer"),
    ])
    func `why the field authorization has none`(field: String, word: String) {
        let answer = answer { $0.authorization = field }
        #expect(answer?.reason == .invalidProviderToken && answer?.why?.contains(word) == true)
    }

    @Test(arguments: [
        ("1800000000", nil), ("1800000000.25", "a number with a fraction"),
        (#""1800000000""#, "is a text"), (#""1800000000.5""#, "is a text"),
    ])
    func `dates of clients that are in use as dates, and says what is odd`(
        date: String,
        word: String?
    ) {
        let answer = answer {
            $0.authorization = bearer(#"{"iss":"TEAM012345","iat":\#(date)}"#)
        }
        #expect(answer?.status == 200 && answer?.reason == nil)
        #expect(word == nil ? answer?.why == nil : answer?.why?.contains(word ?? "") == true)
    }

    @Test(arguments: [
        (#""1799996399""#, APNsReason.expiredProviderToken),
        ("1799996399.9", .expiredProviderToken),
        ("1799996400.5", nil), ("1800003601", .expiredProviderToken),
    ])
    func `dates of more than an hour with their reason, in whatever form`(
        date: String,
        reason: APNsReason?
    ) {
        let answer = answer {
            $0.authorization = bearer(#"{"iss":"TEAM012345","iat":\#(date)}"#)
        }
        #expect(answer?.reason == reason)
    }

    @Test func `collapse ids by their bytes`() {
        #expect(answer { $0.collapseID = String(repeating: "ü", count: 32) }?.status == 200)
        let long = answer { $0.collapseID = String(repeating: "ü", count: 32) + "x" }
        #expect(long?.reason == .badCollapseID && long?.why?.contains("65 bytes") == true)
    }

    @Test(arguments: ["x", "[]", "7", #"{"aps":}"#, #"{"a":1}{}"#, "\u{feff}{}"])
    func `a body that is no JSON object`(body: String) {
        let answer = answer { $0.body = Array(body.utf8) }
        #expect(answer?.reason == .payloadEmpty && answer?.why == "the body is no JSON object")
    }

    @Test(arguments: [
        ("ab", APNsReason.badDeviceToken), ("abcdef", .badDeviceToken), ("abcdef01", nil),
        (String(repeating: "AB", count: 32), nil), (String(repeating: "ab", count: 200), nil),
        (String(repeating: "0g", count: 32), .badDeviceToken), ("abcdef012", .badDeviceToken),
    ])
    func `tokens of any length but a few bytes, in small and capital digits`(
        token: String,
        reason: APNsReason?
    ) {
        #expect(answer { $0.path = "/3/device/\(token)" }?.reason == reason)
    }

    @Test func `a dead token with whatever digits it comes`() {
        let token = String(repeating: "aBcD", count: 16)
        for path in [token, token.lowercased(), token.uppercased()] {
            let answer = answer(dead: token) { $0.path = "/3/device/\(path)" }
            #expect(answer?.status == 410 && answer?.since == Self.date)
        }
    }

    @Test(arguments: MockPushType.allCases)
    func `all types of pushes, with their topics, priorities and payloads`(type: MockPushType) {
        var settings = MockSettings()
        settings.bundles = ["com.mygame"]
        func answer(
            topic: String? = nil,
            _ change: (inout MockRequest) -> Void = { _ in }
        ) -> MockAnswer? {
            self.answer(settings) {
                $0.pushType = type.rawValue
                $0.topic = topic ?? "com.mygame" + (type.topicSuffix ?? "")
                change(&$0)
            }
        }
        #expect(answer()?.status == 200 && answer()?.why == nil)
        let urgent = answer { $0.priority = "10" }
        #expect(urgent?.reason == (type == .background ? .badPriority : nil))
        let long =
            Array(#"{"a":""#.utf8) + [UInt8](repeating: 0x61, count: 4_500) + Array(#""}"#.utf8)
        #expect(answer { $0.body = long }?.reason == (type == .voip ? nil : .payloadTooLarge))
        if type.topicSuffix == nil { return }
        #expect(answer(topic: "com.other" + type.topicSuffix!)?.reason == .topicDisallowed)
        if type.topicSuffix == "" { return }
        #expect(answer(topic: "com.mygame")?.reason == .deviceTokenNotForTopic)
    }

    @Test func `a push without a type, and says that Apple asks for one`() {
        let plain = answer {
            $0.pushType = nil
            $0.topic = "com.mygame"
        }
        #expect(plain?.status == 200 && plain?.why?.contains("apns-push-type") == true)
        let strange = answer { $0.pushType = "toast" }
        #expect(strange?.reason == .invalidPushType)
        #expect(strange?.why?.contains("alert, background, complication") == true)
    }

    @Test func `which field comes twice`() {
        let answer = answer { $0.repeatedField = "apns-topic" }
        #expect(answer?.reason == .duplicateHeaders && answer?.why?.contains("apns-topic") == true)
    }
}
