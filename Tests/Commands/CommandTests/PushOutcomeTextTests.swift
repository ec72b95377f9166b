import Testing

@testable import ReloadRouterClient
@testable import reload_router

@Suite("What push prints of a push")
struct PushOutcomeTextTests {
    private static let now: Int64 = 1_795_000_000

    private func lines(_ outcome: PushOutcome) -> [String] {
        PushOutcomeText(outcome, now: Self.now).lines
    }

    private func outcome(_ counts: [String: UInt64], _ widgets: [PushOutcome.Widget]) -> PushOutcome
    {
        PushOutcome(
            seq: 2,
            matched: counts.values.reduce(0, +),
            counts: counts,
            widgets: widgets,
            isDuplicate: false
        )
    }

    private func widget(
        _ name: String,
        _ outcome: String,
        joins: String? = nil,
        until: Int64? = nil,
        why: String? = nil
    ) -> PushOutcome.Widget {
        PushOutcome.Widget(
            device: "phone-1",
            widget: name,
            kind: "k",
            outcome: outcome,
            joins: joins,
            until: until,
            why: why
        )
    }

    @Test(
        "is one line with the outcome, its end and its reason",
        arguments: [
            ("sent", nil, nil, nil, "sent"),
            ("unchanged", nil, nil, "hp is as before", "no reload (unchanged: hp is as before)"),
            (
                "offline", nil, nil, "until its device has a session",
                "put off (offline: until its device has a session)"
            ),
            ("apns", nil, nil, nil, "goes by APNs (apns)"),
            (
                "cap", nil, nil, "the device has had its pushes of the day",
                "put off (cap: the device has had its pushes of the day)"
            ),
            ("coalesced", "sent", nil, nil, "joined a reload that is being sent (coalesced)"),
            (
                "expired", nil, nil, "the push expired before it could be sent",
                "no reload (expired: the push expired before it could be sent)"
            ),
            ("later", nil, nil, nil, "no reload (later)"),
        ] as [(String, String?, Int64?, String?, String)]
    )
    func single(name: String, joins: String?, until: Int64?, why: String?, text: String) {
        let widget = widget("hp", name, joins: joins, until: until, why: why)
        #expect(
            lines(outcome([name: 1], [widget])) == ["seq 2: matched 1 · \(text): hp on phone-1"]
        )
    }

    @Test("has the local time at which a wait ends, with the date if that is far away")
    func time() throws {
        let why = "a widget's reloads are 5 min apart"
        let soon = widget("hp", "spacing", until: (Self.now + 300) * 1_000, why: why)
        let line = try #require(lines(outcome(["spacing": 1], [soon])).first)
        let clock = try #require(line.firstMatch(of: #/until (\d\d:\d\d:\d\d) /#)).1
        #expect(
            line == "seq 2: matched 1 · put off until \(clock) (spacing: \(why)): hp on phone-1"
        )
        let joined = widget(
            "hp",
            "coalesced",
            joins: "spacing",
            until: (Self.now + 90_000) * 1_000,
            why: why
        )
        let other = try #require(lines(outcome(["coalesced": 1], [joined])).first)
        let date = try #require(other.firstMatch(of: #/until (2026-11-\d\d \d\d:\d\d:\d\d) /#)).1
        let start = "seq 2: matched 1 · joined the reload put off until \(date) (spacing: "
        #expect(other.hasPrefix(start), "\(other)")
    }

    @Test("groups widgets with the same outcome, and counts those that are not named")
    func groups() {
        let widgets = [widget("a", "sent"), widget("b", "offline"), widget("c", "sent")]
        #expect(
            lines(outcome(["sent": 2, "offline": 1], widgets))
                == [
                    "seq 2: matched 3", "  sent: a on phone-1, c on phone-1",
                    "  put off (offline): b on phone-1",
                ]
        )
        #expect(
            lines(outcome(["sent": 9, "spacing": 3], [widget("a", "sent")]))
                == ["seq 2: matched 12", "  sent: a on phone-1", "  11 more: sent 8, spacing 3"]
        )
    }

    @Test("says why a push matched nothing, and what came nearest")
    func misses() {
        var miss = outcome([:], [])
        #expect(lines(miss) == ["seq 2: matched no widget"])
        miss.registered = 0
        #expect(lines(miss) == ["seq 2: matched no widget: the app has no registered widget"])
        miss.registered = 12
        #expect(lines(miss) == ["seq 2: did not match any of the app's 12 widgets"])
        miss.nearest = PushOutcome.Nearest(
            device: "d",
            widget: "w",
            kind: "k",
            field: "a",
            text: "a: the push lacks it, the rule wants 1"
        )
        #expect(
            lines(miss) == [
                "seq 2: did not match any of the app's 12 widgets; the nearest is w on d (k): "
                    + "a: the push lacks it, the rule wants 1"
            ]
        )
        miss.isDuplicate = true
        #expect(lines(miss) == ["seq 2: no effect: a push of this number was accepted before"])
    }
}
