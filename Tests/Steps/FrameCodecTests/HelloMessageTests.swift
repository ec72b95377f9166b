import Basics
import FrameCodec
import Testing

@Suite("The body of HELLO")
struct HelloMessageTests {
    @Test(
        "is read as it was written, for every role",
        arguments: [
            HelloMessage(role: .publisher, app: "game", token: "t", name: "p-1"),
            HelloMessage(role: .device, app: "häß", token: nil, name: "d-1"),
            HelloMessage(role: .gateway, app: "game", token: "", name: nil),
            HelloMessage(
                role: .publisher,
                app: "game",
                token: nil,
                name: "p-1",
                wantsOutcomes: true
            ),
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
            (#"{"v":1,"role":"gateway","app":"a","outcomes":"yes"}"#, "outcomes"),
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
        #expect(throws: Never.self) { try checkIdentifier(name, of: "kind") }
    }

    @Test("is refused with its own name and the place of the byte at fault")
    func invalid() {
        for byte in (0..<0x20) + [0x7f, 0x22, 0x5c] as [UInt8] {
            let name = "ab" + String(UnicodeScalar(byte))
            let error = #expect(throws: ProtocolError.self) {
                try checkIdentifier(name, of: "kind")
            }
            #expect(error?.code == .identifierInvalid)
            #expect(error?.message.contains("kind") == true)
            #expect(error?.message.contains("at 2") == true)
        }
        #expect(throws: ProtocolError.self) { try checkIdentifier("", of: "kind") }
        // 64 characters of two bytes and one more: counted in bytes.
        #expect(throws: ProtocolError.self) {
            try checkIdentifier(String(repeating: "ä", count: 64) + "a", of: "kind")
        }
    }
}
