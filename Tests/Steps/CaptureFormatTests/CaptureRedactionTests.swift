import Basics
import CaptureFormat
import TestSupport
import Testing

@Suite("Redaction")
struct CaptureRedactionTests {
    private let redaction = CaptureRedaction(key: (1, 2))

    private func redacted(_ kind: CaptureKind, flags: UInt8 = 0, _ text: String) -> String {
        text.withByteView { body in
            var result = ""
            let record = CaptureRecord(time: 1, connection: 1, kind: kind, flags: flags, body: body)
            redaction.withRedacted(record) { result = $0.body.string }
            return result
        }
    }

    /// The hash that a value gets.
    private func hash(_ value: String) -> String {
        String(redacted(.push, "{\"a\":\(value)}").dropFirst(5).dropLast())
    }

    @Test func `keeps the shape of a payload, and equal values equal`() {
        let (frodo, ring, half) = (hash("\"Frodo\""), hash("7"), hash("0.5"))
        #expect(frodo.count == 19 && frodo.hasPrefix("\"h") && Int(ring) != nil)
        #expect(half.hasSuffix(".5"))
        #expect(ring == hash("7.0") && ring == hash("70e-1") && ring != hash("8"))
        #expect(frodo == hash("\"Fr\\u006fdo\"") && frodo != hash("\"frodo\""))
        #expect(
            redacted(
                .push,
                #"{"kinds":["Frodo"], "n":"Frodo","d":{"k":"Frodo","l":[7,true,null,{"x":[]}]}}"#
            ) == #"{"kinds":[\#(frodo)], "n":\#(frodo),"d":{"k":\#(frodo),"#
                + #""l":[\#(ring),true,null,{"x":[]}]}}"#
        )
    }

    @Test func `keeps what decisions need of the other frames`() {
        let (device, id) = (hash("\"d-1\""), hash("\"w1\""))
        let token = hash("\"7f3a\"").replacing("h", with: "")
        #expect(
            redacted(.hello, #"{"v":1,"role":"publisher","app":"a","producer":"d-1"}"#)
                == #"{"v":1,"role":"publisher","app":"a","producer":\#(device)}"#
        )
        #expect(
            redacted(
                .widgets,
                #"{"device":"d-1","pushToken":"7f3a","widgets":[{"id":"w1","kind":"k","#
                    + #""family":"f","pushToken":"7f3a","configuration":{"kind":"w1"}}]}"#
            ) == #"{"device":\#(device),"pushToken":\#(token),"widgets":[{"id":\#(id),"kind":"k","#
                + #""family":"f","pushToken":\#(token),"configuration":{"kind":\#(id)}}]}"#
        )
        let timeline = #""reload":17,"entries":[1,2],"policy":{"after":5},"because":"date"}"#
        #expect(
            redacted(.timeline, #"{"device":"d-1","widget":"w1","# + timeline)
                == #"{"device":\#(device),"widget":\#(id),"# + timeline
        )
        #expect(
            redacted(
                .state,
                #"{"device":"d-1","foreground":true,"media":"audio","visible":["w1"]}"#
            )
                == #"{"device":\#(device),"foreground":true,"media":"audio","visible":[\#(id)]}"#
        )
        #expect(
            redacted(.request, #"{"device":"d-1","kind":"k"}"#)
                == #"{"device":\#(device),"kind":"k"}"#
        )
    }

    @Test func `hashes what rules compare for equality, and opens all roles`() {
        let (dragon, seven) = (hash("\"dragon\""), hash("7"))
        let file = """
            {"apps":[{"app":"a","publishers":[{"id":"dragon"}],"gateways":[],
              "kinds":[{"kind":"k","observes":["hp"],"match":{
                "event":["dragon",7,null,{"anything-but":["dragon"]},{"numeric":[">",7]}],
                "$or":[{"x":{"y":["${configuration.y}"]}},{"z":[{"exists":true},{"prefix":"dragon"}]}]}
              }]}]}
            """
        let found = redacted(.apps, file).filter { !$0.isWhitespace }
        #expect(
            found == #"{"apps":[{"app":"a","kinds":[{"kind":"k","observes":["hp"],"match":{"#
                + #""event":[\#(dragon),\#(seven),null,{"anything-but":[\#(dragon)]},"#
                + #"{"numeric":[">",7]}],"$or":[{"x":{"y":["${configuration.y}"]}},"#
                + #"{"z":[{"exists":true},{"prefix":\#(dragon)}]}]}}],"publishers":"open","#
                + #""devices":"open","gateways":"open"}]}"#
        )
    }

    @Test func `leaves the date in front of a push, and nothing of what is no JSON`() {
        #expect(redacted(.push, flags: 2, "12345678{}") == "12345678{}")
        #expect(redacted(.push, "secret") == "{}")
        #expect(redacted(.push, #"{"a":"secret""#) == "{}")
        #expect(redacted(.push, flags: 2, "secret") == "{}")
    }

    @Test func `hashes otherwise under another key`() {
        let other = CaptureRedaction(key: (2, 2))
        var found = ""
        #"{"a":"Frodo"}"#.withByteView {
            other.withRedacted(CaptureRecord(time: 1, connection: 1, kind: .push, body: $0)) {
                found = $0.body.string
            }
        }
        #expect(found.hasPrefix(#"{"a":"h"#) && found != redacted(.push, #"{"a":"Frodo"}"#))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `leaves no value, whatever is broken off or flipped`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let text = Array(#"{"a":"secret","b":[{"c":"secret"},"secret"],"widgets":["secret"]}"#.utf8)
        for _ in 0..<300 {
            var bytes = Array(text[..<(text.count - random.below(2) * random.below(text.count))])
            if !bytes.isEmpty { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
            for kind in [CaptureKind.push, .widgets, .state, .hello, .apps] {
                let found = redacted(kind, String(decoding: bytes, as: UTF8.self))
                // A member's name stays; an app file's members are no values.
                let isLeft = found.contains("\"secret\"") && kind != .apps
                #expect(!isLeft, "seed \(seed): \(found)")
            }
        }
    }
}
