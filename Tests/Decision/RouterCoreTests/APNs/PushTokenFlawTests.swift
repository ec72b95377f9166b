import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("A push token that APNs could not know")
struct PushTokenFlawTests {
    private static let digits = String(repeating: "0f", count: 32)

    @Test(
        arguments: [
            ("", "is empty"), ("7f3", "has 3 digits"),
            ("{length = 32, bytes = 0x965b251e 6cb19260 ... 376eab7c }", "Data since iOS 13"),
            ("<7f3a0000 00000001>", "<abcd …>"), ("0x7f3a", "begins with 0x"),
            ("7f3a0000 00000001", "separators"), ("7f:3a", "separators"),
            ("fzoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=", "base64"),
            ("../x", "other characters"),
            (digits.utf8.map { String($0, radix: 16) }.joined(), "encoded twice"),
        ]
    )
    func `is refused by every way in, with a sentence that says what it looks like`(
        token: String,
        look: String
    ) throws {
        let harness = RouterHarness()
        let device = harness.connect(.device, "d")
        var widget = TestWidget.character("w", "elf")
        let plain = widget.json
        widget.token = token
        for members in [
            #""pushToken":"\#(token)","widgets":[\#(plain)]"#,
            #""appPushToken":"\#(token)","widgets":[\#(plain)]"#,
            #""widgets":[\#(widget.json)]"#,
        ] {
            harness.device(device, .widgets, #"{"device":"d",\#(members)}"#)
            guard case .reject(_, _, .identifierInvalid, let message) = harness.step().first else {
                Issue.record("a token was accepted: \(members)")
                continue
            }
            #expect(message.contains(look), "\(message)")
            #expect(token.count < 4 || !message.contains(token), "tokens are secret")
            #expect(throws: ProtocolError.self) {
                try harness.report(.widgets, of: "d", "{\(members)}")
            }
        }
        #expect(harness.router.state.reloads.delivery.devices.count == 0)
    }

    @Test(
        arguments: [
            "aa", "00", "ABCDEF01", digits, digits + digits, String(repeating: "31", count: 9),
        ]
    )
    func `is none of these`(token: String) {
        #expect(token.withByteView { PushTokenFlaw.sentence($0) } == nil)
    }
}
