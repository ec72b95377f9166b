import Basics
import FrameCodec
import RouterCore
import StoreFormat
import TestSupport
import Testing

@Suite("What a router answers")
struct AnswerLimitTests {
    /// Frames of 17 bytes, each of which is refused.
    private static func refused(_ count: Int) -> [UInt8] {
        (1...count).flatMap { encodeFrame(.request, seq: UInt64($0), body: Array("x".utf8)) }
    }

    @Test func `A router takes no further frame when its answers are as many as it may make`() {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        let bytes = Self.refused(1_000)
        harness.router.outbox.allowance.answerLimit = 1_000
        let taken = harness.send(gateway, bytes)
        let isFull = harness.router.outbox.allowance.isFull
        let mustStep = harness.router.isBusy && harness.router.needsStep
        #expect(isFull && mustStep)
        #expect(taken > 0 && taken < bytes.count / 50 && taken % 17 == 0)
        let byteCount = harness.router.outbox.allowance.answerByteCount
        #expect((1_000..<1_200).contains(byteCount))
        #expect(harness.send(gateway, Array(bytes[taken...])) == 0)
        #expect(harness.take().count == taken / 17)
        let isFullStill = harness.router.outbox.allowance.isFull
        #expect(!isFullStill)
        #expect(harness.send(gateway, Array(bytes[taken...])) > 0)
    }

    @Test func `Answers that wait are no partial frame, and no silence`() {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        harness.router.outbox.allowance.answerLimit = 1
        let bytes = Self.refused(2)
        #expect(harness.send(gateway, bytes) == 17)
        let noAge = harness.router.partialFrameAge(gateway, now: harness.now)
        #expect(noAge == nil)
        _ = harness.take()
        #expect(harness.send(gateway, Array(bytes[17..<30])) == 0)
        let age = harness.router.partialFrameAge(gateway, now: harness.now)
        #expect(age == 0)
    }

    @Test func `Devices whose RELOADs have no room stay ready, and cost no ticks`() {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        let publisher = harness.connect(.publisher, "p")
        for number in 0..<50 {
            harness.widgets(gateway, "d\(number)", [.character("w", "kit")])
        }
        _ = harness.step()
        harness.router.outbox.allowance.reloadLimit = 0
        for seq in 1...3 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"kit"}"#)
            #expect(harness.reloads() == [])
        }
        let spins = harness.router.needsStep
        #expect(!spins)
        harness.router.outbox.allowance.reloadLimit = 5_000
        let continues = harness.router.needsStep
        #expect(continues)
        let some = harness.reloads()
        #expect(!some.isEmpty && some.count < 50)
        harness.router.outbox.allowance.reloadLimit = .max
        var devices = some.map(\.device)
        while harness.router.needsStep { devices += harness.reloads().map(\.device) }
        #expect(devices.count == 50 && Set(devices).count == 50)
    }

    @Test func `Inlined values count for the room that RELOADs have`() {
        let harness = SchedulingHarness([.unlimited { $0.inlines = ["text"] }])
        for number in 0..<50 { _ = harness.device("d\(number)", [.character("w", "kit")]) }
        harness.router.router.outbox.allowance.reloadLimit = 5_000
        let text = String(repeating: "x", count: 200)
        harness.push(#"{"character":"kit","text":"\#(text)"}"#)
        let some = harness.router.reloads()
        #expect(some.allSatisfy { $0.values["w"]?.contains(text) == true })
        let counted = some.count * (16 + 96 + 4 * 132 + text.utf8.count)
        #expect(counted < 5_000 + 2_000, "\(some.count)")
        harness.router.router.outbox.allowance.reloadLimit = .max
        #expect(harness.settle().count + some.count == 50)
    }

    @Test func `A HELLO is judged by its length before its body comes`() {
        let harness = RouterHarness()
        let longest = encodeFrame(.hello, seq: 0, body: [UInt8](repeating: 0x20, count: 4_096))
        let patient = harness.open()
        #expect(harness.send(patient, Array(longest[..<16])) == 0)
        #expect(harness.step() == [])
        let hasty = harness.open()
        let long = encodeFrame(.hello, seq: 0, body: [UInt8](repeating: 0x20, count: 4_097))
        harness.send(hasty, Array(long[..<4]))
        let sent = harness.step()
        guard case .fail(hasty, .frameLength, let message) = sent.first, sent.count == 1 else {
            Issue.record("\(sent)")
            return
        }
        #expect(message.contains("4096"))
    }

    @Test func `A frame in the same read as its HELLO may be as long as any`() {
        let harness = RouterHarness()
        let slot = harness.open()
        let hello = HelloMessage(role: .publisher, app: "game", token: nil, name: "p")
        let payload = #"{"a":""# + String(repeating: "x", count: 20_000) + #""}"#
        let bytes =
            encodeFrame(.hello, seq: 0, body: hello.encoded)
            + encodeFrame(.push, seq: 1, body: Array(payload.utf8))
        #expect(harness.send(slot, bytes) == bytes.count)
        let sent = harness.step()
        #expect(sent.contains(.ack(slot, seq: 1, matched: 0)), "\(sent)")
    }

    // MARK: - Quotations

    /// Each place of a frame where somebody's own text might come back.
    private static func bodies(_ text: String) -> [(FrameType, String)] {
        [
            (.widgets, #"{"device":"\#(text)","widgets":[]}"#),
            (.widgets, #"{"device":"d","widgets":[{"id":"\#(text)","kind":"detail"}]}"#),
            (.widgets, #"{"device":"d","widgets":[{"id":"w","kind":"\#(text)"}]}"#),
            (
                .widgets,
                #"{"device":"d","widgets":[{"id":"w","kind":"detail","family":"\#(text)"}]}"#
            ),
            (
                .widgets,
                #"{"device":"d","widgets":[{"id":"w","kind":"detail","configuration":{"\#(text)":{}}}]}"#
            ),
            (
                .widgets,
                #"{"device":"d","widgets":[{"id":"w","kind":"detail","configuration":{"\#(text)":[{}]}}]}"#
            ),
            (.timeline, #"{"device":"d","widget":"\#(text)","entries":[],"policy":"never"}"#),
            (.timeline, #"{"device":"d","widget":"w","entries":[],"policy":"\#(text)"}"#),
            (
                .timeline,
                #"{"device":"d","widget":"w","entries":[],"because":"\#(text)","policy":"never"}"#
            ),
            (.state, #"{"device":"d","visible":["\#(text)"]}"#),
            (.state, #"{"device":"d","media":"\#(text)"}"#),
            (.state, #"{"device":"d","location":"\#(text)"}"#),
            (.request, #"{"device":"d","kind":"\#(text)"}"#),
            (.request, #"{"device":"d","because":"\#(text)"}"#),
            (.request, #"{"\#(text)":1,"\#(text)":2}"#),
            (.request, text),
        ]
    }

    @Test func `No ERROR and no REJECT is longer than 512 bytes, whatever was sent`() {
        let texts = [
            String(repeating: "x", count: 60_000), String(repeating: "x", count: 128),
            String(repeating: "€", count: 42), String(repeating: "\u{202e}", count: 20_000),
            String(repeating: #"\""#, count: 20_000), String(repeating: #"\u0085"#, count: 9_000),
            String(repeating: #"\\"#, count: 20_000),
        ]
        for text in texts {
            let harness = RouterHarness()
            let gateway = harness.connect(.gateway)
            harness.widgets(gateway, "d", [.character("w", "kit")])
            _ = harness.step()
            var count = 0
            for (seq, (type, body)) in Self.bodies(text).enumerated() {
                harness.send(
                    gateway,
                    encodeFrame(type, seq: UInt64(seq + 10), body: Array(body.utf8))
                )
            }
            count += expectShortAnswers(harness)
            #expect(count > 5)
            for hello in [
                #"{"v":1,"role":"\#(text)","app":"game"}"#,
                #"{"v":1,"role":"gateway","app":"\#(text)"}"#,
                #"{"v":1,"role":"device","app":"game","device":"\#(text)"}"#,
            ] {
                let slot = harness.open()
                harness.send(slot, encodeFrame(.hello, seq: 0, body: Array(hello.utf8)))
                count += expectShortAnswers(harness)
            }
        }
    }

    @Test func `Nor is it for frames of noise`() {
        var random = SeededGenerator(seed: 12)
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        let types: [FrameType] = [.widgets, .timeline, .state, .request]
        for seq in 1...3_000 as ClosedRange<UInt64> {
            var text = ""
            for _ in 0..<Int.random(in: 0...300, using: &random) {
                text.unicodeScalars.append(
                    Unicode.Scalar(UInt32.random(in: 0...0x2100, using: &random)) ?? "x"
                )
            }
            let escaped = text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
            let (_, body) = Self.bodies(escaped).randomElement(using: &random)!
            let type = types.randomElement(using: &random)!
            harness.send(gateway, encodeFrame(type, seq: seq, body: Array(body.utf8)))
            _ = expectShortAnswers(harness)
        }
    }

    /// - Returns: how many there were.
    private func expectShortAnswers(_ harness: RouterHarness) -> Int {
        var answers = Answers()
        harness.driver.step(to: &answers)
        return answers.count
    }
}

/// Frames with text for a reader, none of which may be long.
private struct Answers: VirtualPeers {
    private(set) var count = 0

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        guard [.error, .reject, .welcome, .scheduled, .goaway].contains(frame.type) else { return }
        count += 1
        let body = bytes.slice(FrameHeader.byteCount, to: bytes.count)
        #expect(body.count <= 512, "\(body.string)")
    }
}
