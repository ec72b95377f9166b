import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

@Suite("The router, given timelines")
struct TimelineTests {
    let harness = RouterHarness()
    let device: ConnectionSlot
    let start: Int64

    init() {
        device = harness.connect(.device, "d")
        harness.widgets(device, "d", [.character("w", "kit"), .character("v", "kit")])
        _ = harness.step()
        start = harness.now.wall.rawValue
    }

    @Test("answers after(date) with SCHEDULED, and reloads at that date to the millisecond")
    func after() {
        let seq = harness.timeline(device, "d", "w", policy: #"{"after":\#(start + 60_000)}"#)
        #expect(
            harness.step() == [
                .scheduled(
                    device,
                    seq: seq,
                    #"{"device":"d","widget":"w","reloadAt":\#(start + 60_000),"slotDelay":0}"#
                ),
                .ack(device, seq: seq, matched: nil),
            ]
        )
        let wakeUp = harness.router.nextWakeUp(after: harness.now)
        #expect(wakeUp != nil && wakeUp! <= harness.now.monotonic + 60_000)
        harness.advance(59_999)
        #expect(harness.reloads() == [])
        harness.advance(1)
        let reload = harness.reloads().first
        #expect(reload?.widgets == ["w"] && reload?.cause == "after")
        harness.advance(1_000_000)
        #expect(harness.reloads() == [])
        let next = harness.router.nextWakeUp(after: harness.now)
        #expect(next == nil)
    }

    @Test("uses the wall clock for dates, and not the other")
    func wallClock() {
        harness.timeline(device, "d", "w", policy: #"{"after":\#(start + 60_000)}"#)
        harness.now.monotonic += 100_000
        #expect(harness.reloads() == [])
        harness.now.wall += 60_000
        #expect(harness.reloads().map(\.widgets) == [["w"]])
    }

    @Test("reloads at once for a date that is past")
    func past() {
        harness.timeline(device, "d", "w", policy: #"{"after":0}"#)
        #expect(harness.reloads().map(\.cause) == ["after"])
    }

    @Test(
        "refuses a date in another unit by its name",
        arguments: [
            ("[]", #"{"after":1700000060}"#, "policy.after", "seconds since 1970"),
            ("[]", #"{"after":721692860}"#, "policy.after", "seconds since 2001"),
            ("[]", #"{"after":1700000060000000}"#, "policy.after", "microseconds since 1970"),
            ("[]", #"{"after":900}"#, "policy.after", "a length of time"),
            ("[0,1700000060]", #""atEnd""#, "entries[1]", "seconds since 1970"),
            ("[1700000060,1700000060000]", #""atEnd""#, "entries[0]", "seconds since 1970"),
            ("[0,0,900,1700000060000]", #""never""#, "entries[2]", "a length of time"),
            (
                "[1700000060000,1700000060000000]", #""never""#, "entries[1]",
                "microseconds since 1970"
            ),
        ]
    )
    func otherUnit(entries: String, policy: String, path: String, unit: String) {
        harness.device(
            device,
            .timeline,
            #"{"device":"d","widget":"w","entries":\#(entries),"policy":\#(policy)}"#
        )
        let sent = harness.step()
        guard case .reject(_, _, .timelineInvalid, let message) = sent.first else {
            Issue.record("sent \(sent)")
            return
        }
        #expect(message.contains("\(path) is") && message.contains(unit), "\(message)")
    }

    @Test(
        "reloads at the last entry's date for atEnd, but not in less than five minutes",
        arguments: [
            ([], 300_000, false), ([0], 300_000, false), ([5_000, 299_999], 300_000, true),
            ([0, 400_000, 400_000], 400_000, true), ([0, 300_000, 600_000], 600_000, false),
        ] as [([Int64], Int64, Bool)]
    )
    func atEnd(entries: [Int64], wait: Int64, isClose: Bool) {
        let seq = harness.timeline(
            device,
            "d",
            "w",
            entries: entries.map { start + $0 },
            policy: #""atEnd""#
        )
        #expect(
            harness.step() == [
                .scheduled(
                    device,
                    seq: seq,
                    #"{"device":"d","widget":"w","reloadAt":\#(start + wait),"slotDelay":0"#
                        + (isClose ? #","warning":"entries-close"}"# : "}")
                ),
                .ack(device, seq: seq, matched: nil),
            ]
        )
        #expect(harness.router.counters.closeEntries == (isClose ? 1 : 0))
        harness.advance(wait - 1)
        #expect(harness.reloads() == [])
        harness.advance(1)
        let reload = harness.reloads().first
        #expect(reload?.widgets == ["w"] && reload?.cause == "atEnd")
    }

    @Test("uses the latest timeline of a widget")
    func replaced() {
        for (policy, wait, cause) in [
            (#"{"after":\#(start + 10_000)}"#, 10_000, "after"),
            (#""atEnd""#, 300_000, "atEnd"),
        ] as [(String, Int64, String)] {
            let harness = RouterHarness()
            let device = harness.connect(.device, "d")
            harness.widgets(device, "d", [.character("w", "kit")])
            harness.timeline(device, "d", "w", policy: #"{"after":\#(start + 5_000)}"#)
            harness.timeline(device, "d", "w", policy: #"{"after":\#(start + 900_000)}"#)
            harness.timeline(device, "d", "w", policy: policy)
            _ = harness.step()
            harness.advance(wait - 1)
            #expect(harness.reloads() == [])
            harness.advance(1)
            #expect(harness.reloads().map(\.cause) == [cause])
            harness.advance(1_000_000)
            #expect(harness.reloads() == [])
        }
    }

    @Test("names all widgets of a device that are due at the same date in one RELOAD")
    func together() {
        for widget in ["w", "v"] {
            harness.timeline(device, "d", widget, policy: #"{"after":\#(start + 10)}"#)
        }
        _ = harness.step()
        harness.advance(10)
        #expect(harness.reloads().map { Set($0.widgets) } == [["v", "w"]])
    }

    @Test("keeps a date that passes while the device is away")
    func offline() {
        harness.timeline(device, "d", "w", policy: #"{"after":\#(start + 10)}"#)
        harness.close(device)
        harness.advance(20)
        #expect(harness.reloads() == [])
        _ = harness.connect(.device, "d")
        #expect(harness.reloads().map(\.widgets) == [["w"]])
    }

    @Test("keeps a date's reload that waits for its device when a push with an expiry joins")
    func expiredPushJoinsDate() {
        for spacing: Int64 in [0, 1_000] {
            let harness = SchedulingHarness([
                .unlimited { $0.budget.spacing = Milliseconds(rawValue: spacing) }
            ])
            let widgets: [TestWidget] = [.character("w", "kit")]
            var device = harness.device("d", widgets)
            harness.router.timeline(device, "d", "w", policy: harness.after(minute))
            harness.router.close(device)
            #expect(harness.run(until: 20 * minute) == [])
            harness.push(#"{"character":"kit"}"#, expiresAt: 20 * minute + 1_000)
            #expect(harness.run(until: 21 * minute) == [])
            device = harness.router.connect(.device, "d")
            harness.router.widgets(device, "d", widgets)
            #expect(harness.settle().map(\.widgets) == [["w"]])
        }
    }

    @Test("forgets the date of a widget that is removed, also if its number is used again")
    func removed() {
        harness.timeline(device, "d", "w", policy: #"{"after":\#(start + 10)}"#)
        harness.widgets(device, "d", [.character("x", "kit")])
        _ = harness.step()
        harness.advance(10)
        #expect(harness.reloads() == [])
    }

    @Test("refuses a timeline that is wrong, of a widget or a device that is not there")
    func refused() {
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "e", [.character("w", "kit")])
        _ = harness.step()
        let entries = Array(repeating: start, count: 401)
        let cases: [(UInt64, ErrorCode)] = [
            (harness.timeline(gateway, "x", "w"), .deviceUnknown),
            (harness.timeline(gateway, "e", "x"), .widgetUnknown),
            (harness.timeline(gateway, "e", "w", entries: [2, 1]), .timelineInvalid),
            (harness.timeline(gateway, "e", "w", entries: entries), .timelineInvalid),
            (harness.timeline(gateway, "e", "w", policy: "1"), .bodyInvalid),
            (harness.device(gateway, .timeline, "[]"), .payloadNotObject),
        ]
        let sent = harness.step()
        #expect(sent.count == cases.count)
        for (answer, (seq, code)) in zip(sent, cases) {
            #expect(isReject(answer, gateway, seq, code), "\(answer)")
        }
    }

    // MARK: - STATE

    @Test("takes a STATE whole or not at all, and acknowledges it")
    func state() {
        let seq = harness.device(
            device,
            .state,
            #"{"device":"d","foreground":true,"media":"audio","visible":["w","v"],"#
                + #""location":"significant-change"}"#
        )
        #expect(harness.step().contains(.ack(device, seq: seq, matched: nil)))
        for (body, code) in [
            (#"{"device":"d","visible":["w","x"]}"#, .widgetUnknown),
            (#"{"device":"d","visible":[1]}"#, .bodyInvalid),
            (#"{"device":"e"}"#, .deviceForeign),
            (#"{"device":"d","media":"tv"}"#, .bodyInvalid),
        ] as [(String, ErrorCode)] {
            let seq = harness.device(device, .state, body)
            let sent = harness.step()
            #expect(sent.count == 1 && isReject(sent[0], device, seq, code), "\(sent)")
        }
    }
}
