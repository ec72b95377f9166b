import Basics
import FrameCodec
import TestSupport
import Testing

@Suite("The body of OUTCOME")
struct OutcomeMessageTests {
    @Test("is read as it was written: matches, misses, duplicates and pauses")
    func roundTrip() {
        var message = OutcomeMessage()
        #expect(decoded(message) == .success(message))
        message.matched = 7
        message.counts = [
            .init(outcome: "sent", widgets: 5), .init(outcome: "coalesced", widgets: 2),
        ]
        var widget = OutcomeMessage.Widget(device: "d", widget: "w", kind: "k", outcome: "sent")
        message.widgets = [widget]
        (widget.outcome, widget.joins) = ("coalesced", "spacing")
        (widget.until, widget.why) = (1_795_000_000_000, "a \"phrase\"")
        message.widgets.append(widget)
        #expect(decoded(message) == .success(message))
        message = OutcomeMessage()
        message.registered = 3
        message.nearest = .init(device: "d", widget: "w", kind: "k", field: "a.b", text: "x: y")
        #expect(decoded(message) == .success(message))
        message = OutcomeMessage()
        message.isDuplicate = true
        #expect(decoded(message) == .success(message))
        message = OutcomeMessage()
        message.isPaused = false
        #expect(text(message) == #"{"paused":false}"#)
        #expect(decoded(message) == .success(message))
    }

    @Test("has its members in a fixed order, and leaves out those without a value")
    func members() {
        var message = OutcomeMessage()
        message.matched = 1
        message.counts = [.init(outcome: "sent", widgets: 1)]
        message.widgets = [.init(device: "d", widget: "w", kind: "k", outcome: "sent")]
        #expect(
            text(message)
                == #"{"matched":1,"counts":{"sent":1},"widgets":[{"device":"d","widget":"w","#
                + #""kind":"k","outcome":"sent"}]}"#
        )
    }

    @Test("may have outcomes and members that this version does not know")
    func unknown() {
        let body =
            #"{"x":[],"matched":1,"counts":{"later":1},"nearest":{"x":1,"device":"d","#
            + #""widget":"w","kind":"k","field":"f","text":"t"}}"#
        let message = try? read(Array(body.utf8)) { (view) throws(ProtocolError) in
            try OutcomeMessage(reading: view)
        }.get()
        #expect(message?.counts == [.init(outcome: "later", widgets: 1)])
        #expect(message?.nearest?.field == "f")
    }

    @Test(
        "names the member that is missing or of the wrong type",
        arguments: [
            ("{}", "matched"), (#"{"matched":"1"}"#, "matched"),
            (#"{"matched":1,"counts":[]}"#, "counts"),
            (#"{"matched":1,"counts":{"sent":-1}}"#, "counts.sent"),
            (#"{"matched":1,"widgets":{}}"#, "widgets"),
            (#"{"matched":1,"widgets":[1]}"#, "widgets[0]"),
            (#"{"matched":1,"widgets":[{"device":"d"}]}"#, "widgets[0].widget"),
            (#"{"matched":0,"nearest":{"device":7}}"#, "nearest.device"),
            (#"{"paused":1}"#, "paused"), (#"{"matched":0,"duplicate":1}"#, "duplicate"),
        ]
    )
    func invalid(body: String, member: String) {
        let error = failure(
            read(Array(body.utf8)) { (view) throws(ProtocolError) in
                try OutcomeMessage(reading: view)
            }
        )
        #expect(error?.code == .bodyInvalid)
        #expect(error?.message.contains(member) == true, "\(error?.message ?? "no error")")
    }

    private func decoded(_ message: OutcomeMessage) -> Result<OutcomeMessage, ProtocolError> {
        read(message.encoded) { (view) throws(ProtocolError) in try OutcomeMessage(reading: view) }
    }

    private func text(_ message: OutcomeMessage) -> String {
        String(decoding: message.encoded, as: UTF8.self)
    }
}
