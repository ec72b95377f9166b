import ByteStorage
import FrameCodec
import ReloadModel
import StrictJSON
import Testing

@Suite("The body of HELLO")
struct HelloMessageTests {
    @Test(
        "is read as it was written, for every role",
        arguments: [
            HelloMessage(role: .publisher, app: "game", token: "t", name: "p-1"),
            HelloMessage(role: .device, app: "häß", token: nil, name: "d-1"),
            HelloMessage(role: .gateway, app: "game", token: "", name: nil),
        ]
    )
    func roundTrip(hello: HelloMessage) {
        #expect(decode(hello.encoded) == .success(hello))
    }

    @Test("may have members that this version does not know, and escapes")
    func unknownMembers() {
        let text =
            #"{"x":[1,{"v":2}],"v":1.0,"role":"publ\u0069sher","app":"g","producer":"p","#
            + #""device":"is not asked for"}"#
        let hello = HelloMessage(role: .publisher, app: "g", token: nil, name: "p")
        #expect(decode(text) == .success(hello))
    }

    @Test(
        "names the member that is missing or of the wrong type",
        arguments: [
            (#"{"role":"device","app":"a","device":"d"}"#, "v"),
            (#"{"v":"1","role":"device","app":"a","device":"d"}"#, "v"),
            (#"{"v":-1,"role":"device","app":"a","device":"d"}"#, "v"),
            (#"{"v":1,"app":"a","device":"d"}"#, "role"),
            (#"{"v":1,"role":7,"app":"a","device":"d"}"#, "role"),
            (#"{"v":1,"role":"admin","app":"a","device":"d"}"#, "role"),
            (#"{"v":1,"role":"server","app":"a","device":"d"}"#, "role"),
            (#"{"v":1,"role":"device","device":"d"}"#, "app"),
            (#"{"v":1,"role":"device","app":null,"device":"d"}"#, "app"),
            (#"{"v":1,"role":"device","app":"a"}"#, "device"),
            (#"{"v":1,"role":"device","app":"a","device":[]}"#, "device"),
            (#"{"v":1,"role":"publisher","app":"a","device":"d"}"#, "producer"),
            (#"{"v":1,"role":"publisher","app":"a","producer":{}}"#, "producer"),
            (#"{"v":1,"role":"gateway","app":"a","token":true}"#, "token"),
        ]
    )
    func invalid(text: String, member: String) {
        let error = failure(decode(text))
        #expect(error?.code == .helloInvalid)
        #expect(error?.message.contains(member) == true, "\(error?.message ?? "no error")")
    }

    @Test("is refused for another version before anything else about it")
    func version() {
        let error = failure(decode(#"{"v":2,"role":"admin"}"#))
        #expect(error?.code == .versionUnsupported)
        #expect(error?.message.contains("2") == true)
    }

    @Test("is refused for a name that is no identifier")
    func identifiers() {
        for name in ["", #"a\u0000"#, #"a\n"#, #"\u007f"#, #"a\"b"#, #"a\\b"#, String.long(129)] {
            for text in [
                #"{"v":1,"role":"device","app":"a","device":"\#(name)"}"#,
                #"{"v":1,"role":"publisher","app":"a","producer":"\#(name)"}"#,
                #"{"v":1,"role":"gateway","app":"\#(name)"}"#,
            ] {
                #expect(failure(decode(text))?.code == .identifierInvalid, "\(text)")
            }
        }
    }

    private func decode(_ text: String) -> Result<HelloMessage, ProtocolError> {
        decode(Array(text.utf8))
    }

    private func decode(_ bytes: [UInt8]) -> Result<HelloMessage, ProtocolError> {
        read(bytes) { (view) throws(ProtocolError) in try HelloMessage.decode(view) }
    }
}

@Suite("An identifier")
struct IdentifierTests {
    @Test(
        "has 1 to 128 bytes of UTF-8 without control characters, quotation marks, backslashes",
        arguments: ["a", "com.mygame.character-detail", "häß 😀", " ", String.long(128)]
    )
    func valid(name: String) {
        #expect(throws: Never.self) { try checkIdentifier(name, "kind") }
    }

    @Test("is refused with its own name and the place of the byte at fault")
    func invalid() {
        for byte in (0..<0x20) + [0x7f, 0x22, 0x5c] as [UInt8] {
            let name = "ab" + String(UnicodeScalar(byte))
            let error = #expect(throws: ProtocolError.self) { try checkIdentifier(name, "kind") }
            #expect(error?.code == .identifierInvalid)
            #expect(error?.message.contains("kind") == true)
            #expect(error?.message.contains("at 2") == true)
        }
        #expect(throws: ProtocolError.self) { try checkIdentifier("", "kind") }
        // 64 characters of two bytes and one more: counted in bytes.
        #expect(throws: ProtocolError.self) {
            try checkIdentifier(String(repeating: "ä", count: 64) + "a", "kind")
        }
    }
}

@Suite("The bodies that devices send")
struct DeviceMessageTests {
    @Test("WIDGETS is read whole")
    func widgets() throws {
        let text = #"""
            {"device":"d-1","pushToken":"t","x":1,"widgets":[
            {"id":"w1","kind":"k","family":"systemSmall","configuration":{"a":[1]},"y":{}},
            {"kind":"k2","id":"w\u0032"}]}
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
                #"{"device":"d","widgets":[{"id":"w","kind":"k","configuration":[]}]}"#,
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

    @Test(
        "TIMELINE is read whole, with every policy",
        arguments: [
            (#""atEnd""#, .atEnd), (#""never""#, .never), (#"{"after":1700}"#, .after(1_700)),
            (#"{"x":0,"after":17e2}"#, .after(1_700)),
        ] as [(String, TimelinePolicy)]
    )
    func timeline(text: String, policy: TimelinePolicy) throws {
        let body = #"{"device":"d","widget":"w","reload":7,"entries":[1,1,5],"policy":\#(text)}"#
        try accepted(body) { view throws(ProtocolError) in
            let message = try TimelineMessage(view, entryLimit: 3)
            #expect(message.device.string == "d" && message.widget.string == "w")
            #expect(message.reload == 7 && message.lastEntry == 5)
            #expect(message.policy == policy)
        }
    }

    @Test("TIMELINE may answer no RELOAD and may have no entries")
    func emptyTimeline() throws {
        let body = #"{"device":"d","widget":"w","entries":[],"policy":"never"}"#
        try accepted(body) { view throws(ProtocolError) in
            let message = try TimelineMessage(view, entryLimit: 3)
            #expect(message.reload == nil && message.lastEntry == nil)
        }
    }

    @Test(
        "TIMELINE names the member that is missing or wrong",
        arguments: [
            (#""widget":"w","entries":[],"policy":"never""#, .bodyInvalid, "device"),
            (#""device":1,"widget":"w","entries":[],"policy":"never""#, .bodyInvalid, "device"),
            (#""device":"d","entries":[],"policy":"never""#, .bodyInvalid, "widget"),
            (#""device":"d","widget":0,"entries":[],"policy":"never""#, .bodyInvalid, "widget"),
            (#""device":"d","widget":"w","policy":"never""#, .bodyInvalid, "entries"),
            (#""device":"d","widget":"w","entries":1,"policy":"never""#, .bodyInvalid, "entries"),
            (
                #""device":"d","widget":"w","entries":[1,"x"],"policy":"never""#, .bodyInvalid,
                "entries[1]"
            ),
            (
                #""device":"d","widget":"w","entries":[-1],"policy":"never""#, .bodyInvalid,
                "entries[0]"
            ),
            (
                #""device":"d","widget":"w","entries":[1.5],"policy":"never""#, .bodyInvalid,
                "entries[0]"
            ),
            (#""device":"d","widget":"w","entries":[]"#, .bodyInvalid, "policy"),
            (#""device":"d","widget":"w","entries":[],"policy":1"#, .bodyInvalid, "policy"),
            (#""device":"d","widget":"w","entries":[],"policy":"end""#, .bodyInvalid, "policy"),
            (#""device":"d","widget":"w","entries":[],"policy":{}"#, .bodyInvalid, "policy.after"),
            (
                #""device":"d","widget":"w","entries":[],"policy":{"after":"x"}"#, .bodyInvalid,
                "policy.after"
            ),
            (
                #""device":"d","widget":"w","entries":[],"policy":"never","reload":"7""#,
                .bodyInvalid, "reload"
            ),
            (
                #""device":"d","widget":"w","entries":[2,1],"policy":"never""#, .timelineInvalid,
                "entries[1]"
            ),
            (
                #""device":"d","widget":"w","entries":[1,2,3,4],"policy":"never""#,
                .timelineInvalid, "3 entries"
            ),
        ] as [(String, ErrorCode, String)]
    )
    func invalidTimeline(members: String, code: ErrorCode, path: String) {
        verify("{" + members + "}", code, path) { view throws(ProtocolError) in
            _ = try TimelineMessage(view, entryLimit: 3)
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
            #expect(message.movedSignificantly)
        }
        try accepted(#"{"device":"d"}"#) { view throws(ProtocolError) in
            let message = try StateMessage(view)
            #expect(message.foreground == nil && message.media == nil && message.visible == nil)
            #expect(!message.movedSignificantly)
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
        ] {
            verify(text, .bodyInvalid, path) { view throws(ProtocolError) in
                _ = try RequestMessage(view)
            }
        }
    }

    private func verify(
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

    private func accepted(
        _ text: String,
        _ body: (ByteView) throws(ProtocolError) -> Void
    ) throws {
        try read(Array(text.utf8), body).get()
    }
}

@Suite("The bodies that the router sends")
struct ServerMessageTests {
    @Test("are JSON objects with the members of the specification, in a fixed order")
    func bodies() {
        let welcome = WelcomeMessage(session: "ab", maxBody: 65_536, window: 8_192, lastSeq: .max)
        #expect(
            text(welcome.encoded)
                == #"{"v":1,"session":"ab","maxBody":65536,"window":8192,"#
                + #""lastSeq":18446744073709551615}"#
        )
        let other = WelcomeMessage(session: "ab", maxBody: 1, window: 2, lastSeq: nil)
        #expect(text(other.encoded) == #"{"v":1,"session":"ab","maxBody":1,"window":2}"#)
        let scheduled = ScheduledMessage(device: "d", widget: "w", reloadAt: 17, slotDelay: 0)
        #expect(
            text(scheduled.encoded)
                == #"{"device":"d","widget":"w","reloadAt":17,"slotDelay":0}"#
        )
    }

    @Test("of an error are escaped, so that a peer's own bytes cannot break them")
    func errors() {
        let error = ProtocolError(.kindUnknown, "no \"k\"\n\u{1}\\ here")
        let bytes = error.encoded
        #expect(text(bytes) == #"{"code":"kind-unknown","message":"no \"k\"\n\u0001\\ here"}"#)
        #expect(failure(read(bytes) { _ in }) == nil)
    }

    @Test("name the scanner's error by the payload's code")
    func scannerErrors() {
        for (document, code) in [
            ([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], .payloadNotUTF8),
            (Array("{".utf8), .payloadNotJSON), (Array("[]".utf8), .payloadNotObject),
            (Array(#"{"a":1,"a":2}"#.utf8), .payloadDuplicateKey),
            (Array(#"{"a":1e400}"#.utf8), .payloadNumberRange),
            (
                Array((String(repeating: #"{"a":"#, count: 33) + "1").utf8)
                    + [UInt8](repeating: 0x7d, count: 33), .payloadTooDeep
            ),
        ] as [([UInt8], ErrorCode)] {
            #expect(failure(read(document) { _ in })?.code == code)
        }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// Scans a body strictly, as the router does, and hands it to a reader.
func read<Value>(
    _ bytes: [UInt8],
    _ body: (ByteView) throws(ProtocolError) -> Value
) -> Result<Value, ProtocolError> {
    bytes.withByteView { view in
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(view, using: &scanner)
        } catch {
            return .failure(ProtocolError(error))
        }
        do throws(ProtocolError) {
            return .success(try body(view))
        } catch {
            return .failure(error)
        }
    }
}

func failure<Value>(_ result: Result<Value, ProtocolError>) -> ProtocolError? {
    guard case .failure(let error) = result else { return nil }
    return error
}

extension String {
    /// A name of so many bytes.
    static func long(_ count: Int) -> String { String(repeating: "n", count: count) }
}
