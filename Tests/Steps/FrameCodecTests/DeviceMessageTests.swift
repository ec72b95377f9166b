import Basics
import FrameCodec
import Testing

@Suite("The bodies that devices send")
struct DeviceMessageTests {
    @Test("WIDGETS is read whole")
    func widgets() throws {
        let text = #"""
            {"device":"d-1","pushToken":"t","x":1,"widgets":[
            {"id":"w1","kind":"k","family":"systemSmall","configuration":{"a":[1]},"y":{}},
            {"kind":"k2","id":"w\u0032","configuration":[ ]}]}
            """#
        try accepted(text) { view throws(ProtocolError) in
            let message = try WidgetsMessage(view)
            #expect(message.device.string == "d-1")
            #expect(message.pushToken?.string == "t")
            var list = message.makeWidgets()
            let first = try list.next()
            #expect(first?.id.string == "w1" && first?.kind.string == "k")
            #expect(first?.family?.string == "systemSmall")
            #expect(first?.configuration?.string == #"{"a":[1]}"#)
            let second = try list.next()
            #expect(second?.id.string == "w2" && second?.kind.string == "k2")
            #expect(second?.family == nil && second?.configuration == nil)
            #expect(try list.next() == nil)
        }
    }

    @Test(
        "WIDGETS names the member that is missing or of the wrong type",
        arguments: [
            (#"{"widgets":[]}"#, "device"),
            (#"{"device":5,"widgets":[]}"#, "device"),
            (#"{"device":"d"}"#, "widgets"),
            (#"{"device":"d","widgets":{}}"#, "widgets"),
            (#"{"device":"d","pushToken":1,"widgets":[]}"#, "pushToken"),
            (#"{"device":"d","widgets":[1]}"#, "widgets[0]"),
            (#"{"device":"d","widgets":[{"kind":"k"}]}"#, "widgets[0].id"),
            (#"{"device":"d","widgets":[{"id":1,"kind":"k"}]}"#, "widgets[0].id"),
            (#"{"device":"d","widgets":[{"id":"a","kind":"k"},{"id":"w"}]}"#, "widgets[1].kind"),
            (#"{"device":"d","widgets":[{"id":"w","kind":[]}]}"#, "widgets[0].kind"),
            (#"{"device":"d","widgets":[{"id":"w","kind":"k","family":0}]}"#, "widgets[0].family"),
            (
                #"{"device":"d","widgets":[{"id":"w","kind":"k","configuration":[[]]}]}"#,
                "widgets[0].configuration"
            ),
        ]
    )
    func invalidWidgets(text: String, path: String) {
        verify(text, .bodyInvalid, path) { view throws(ProtocolError) in
            var list = try WidgetsMessage(view).makeWidgets()
            while try list.next() != nil {}
        }
    }

    @Test("STATE is read whole, and each of its members but the device may be missing")
    func state() throws {
        let body =
            #"{"device":"d","foreground":true,"media":"audio","visible":["w"],"#
            + #""location":"significant-change"}"#
        try accepted(body) { view throws(ProtocolError) in
            let message = try StateMessage(view)
            #expect(message.device.string == "d" && message.foreground == true)
            #expect(message.media == .audio && message.visible?.string == #"["w"]"#)
            #expect(message.hasMovedSignificantly)
        }
        try accepted(#"{"device":"d"}"#) { view throws(ProtocolError) in
            let message = try StateMessage(view)
            #expect(message.foreground == nil && message.media == nil && message.visible == nil)
            #expect(!message.hasMovedSignificantly)
        }
        try accepted(#"{"device":"d","media":null}"#) { view throws(ProtocolError) in
            #expect(try StateMessage(view).media == StateMessage.Media.none)
        }
    }

    @Test(
        "STATE names the member that is missing or of the wrong type",
        arguments: [
            (#"{}"#, "device"), (#"{"device":null}"#, "device"),
            (#"{"device":"d","foreground":1}"#, "foreground"),
            (#"{"device":"d","media":true}"#, "media"),
            (#"{"device":"d","media":"video"}"#, "media"),
            (#"{"device":"d","visible":"w"}"#, "visible"),
            (#"{"device":"d","location":1}"#, "location"),
            (#"{"device":"d","location":"moved"}"#, "location"),
        ]
    )
    func invalidState(text: String, path: String) {
        verify(text, .bodyInvalid, path) { view throws(ProtocolError) in
            _ = try StateMessage(view)
        }
    }

    @Test("REQUEST is read with and without a kind, and names the member that is wrong")
    func request() throws {
        try accepted(#"{"device":"d","kind":"k"}"#) { view throws(ProtocolError) in
            #expect(try RequestMessage(view).kind?.string == "k")
        }
        try accepted(#"{"device":"d"}"#) { view throws(ProtocolError) in
            #expect(try RequestMessage(view).kind == nil)
        }
        for (text, path) in [
            (#"{"kind":"k"}"#, "device"), (#"{"device":[]}"#, "device"),
            (#"{"device":"d","kind":null}"#, "kind"),
            (#"{"device":"d","because":null}"#, "because"),
            (#"{"device":"d","because":true}"#, "because"),
            (#"{"device":"d","because":"intent"}"#, "because"),
        ] {
            verify(text, .bodyInvalid, path) { view throws(ProtocolError) in
                _ = try RequestMessage(view)
            }
        }
    }

    @Test("REQUEST says whether a download has finished, with and without a kind")
    func download() throws {
        for (text, isDownload) in [
            (#"{"device":"d","because":"download","kind":"k"}"#, true),
            (#"{"because":"down\u006coad","device":"d"}"#, true), (#"{"device":"d"}"#, false),
        ] {
            try accepted(text) { view throws(ProtocolError) in
                #expect(try RequestMessage(view).isDownload == isDownload)
            }
        }
    }
}

/// A body must be refused with this code, and a sentence that names the member.
func verify(
    _ text: String,
    _ code: ErrorCode,
    _ path: String,
    _ body: (ByteView) throws(ProtocolError) -> Void
) {
    let error = failure(read(Array(text.utf8), body))
    #expect(error?.code == code, "\(text)")
    #expect(
        error?.message.contains(path) == true,
        "\(error?.message ?? "no error") for \(text)"
    )
}

/// A body must be taken.
func accepted(
    _ text: String,
    _ body: (ByteView) throws(ProtocolError) -> Void
) throws {
    try read(Array(text.utf8), body).get()
}
