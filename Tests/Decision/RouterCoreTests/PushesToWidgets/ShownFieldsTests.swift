import Basics
import FrameCodec
import ReloadScheduling
import RouterCore
import Testing

@Suite("With observed and inlined fields, the router")
struct ShownFieldsTests {
    private func harness(
        observes: [String] = ["hp"],
        inlines: [String] = [],
        origin: Int? = nil,
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) -> (SchedulingHarness, ConnectionSlot) {
        let harness = SchedulingHarness(
            [
                .character {
                    $0.budget = .unlimited
                    $0.observes = observes
                    $0.inlines = inlines
                    if origin != nil { $0.origin = "api" }
                    change(&$0)
                }
            ],
            origins: origin.map { [OriginDeclaration(origin: "api", perSecond: $0)] } ?? []
        )
        return (harness, harness.device("d", [.character("w", "kit")]))
    }

    private func payload(_ members: String) -> String { #"{"character":"kit",\#(members)}"# }

    @Test("charges nothing for a push that changes no observed field")
    func unchanged() {
        let (harness, _) = harness { $0.budget = .fixed(3) }
        for (members, isChange) in [
            (#""hp":30"#, true), (#""hp":30,"gold":7"#, false), (#""hp":3e1"#, false),
            (#""gold":8"#, false), (#""hp":31"#, true), (#""hp":31"#, false), (#""hp":null"#, true),
            (#""hp":null"#, false),
        ] {
            harness.push(payload(members))
            #expect(harness.settle().count == (isChange ? 1 : 0), "\(members)")
            #expect(harness.reasons().last == (isChange ? .sent : .unchanged))
        }
        #expect(harness.router.router.counters.decisions[.unchanged] == 5)
    }

    /// A widget of two characters, with a kind that observes hp.
    private func pair(
        inlines: [String] = [],
        keepsJournal: Bool = false,
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) -> SchedulingHarness {
        let kind = KindDeclaration.character {
            $0.budget = .unlimited
            $0.observes = ["hp"]
            $0.inlines = inlines
            change(&$0)
        }
        let harness = SchedulingHarness([kind], keepsJournal: keepsJournal)
        let configuration = #"{"character":["kit","crow"]}"#
        _ = harness.device("d", [TestWidget("w", kind.kind, configuration)])
        return harness
    }

    /// Which of several pushes, a character and members each, reload the widget.
    private func changes(_ harness: SchedulingHarness, _ pushes: [(String, String)]) -> [Bool] {
        pushes.map { character, members in
            harness.push(#"{"character":"\#(character)",\#(members)}"#)
            return harness.settle().count == 1
        }
    }

    @Test("keeps values for each entity of a widget")
    func entities() {
        let found = changes(
            pair(),
            [
                ("kit", #""hp":1"#), ("crow", #""hp":2"#), ("kit", #""hp":1"#),
                ("crow", #""hp":2"#),
                ("kit", #""hp":2"#), ("crow", #""hp":2"#), ("crow", #""hp":1"#),
            ]
        )
        #expect(found == [true, true, false, false, true, false, true])
    }

    @Test("brings the last value of several entities, and reloads when that is another one")
    func inlinedEntities() {
        let found = changes(
            pair(inlines: ["hp"]),
            [
                ("kit", #""hp":1"#), ("crow", #""hp":2"#), ("kit", #""hp":1"#),
                ("crow", #""hp":1"#),
            ]
        )
        #expect(found == [true, true, true, false])
    }

    @Test("lets an update that is older than another change nothing", arguments: [false, true])
    func older(inlines: Bool) throws {
        let harness = pair(inlines: inlines ? ["hp"] : [], keepsJournal: true) {
            $0.newest = "at"
        }
        let found = changes(
            harness,
            [
                ("kit", #""hp":1,"at":8"#), ("kit", #""hp":2,"at":7"#),
                ("kit", #""hp":3,"at":8.0"#),
                ("crow", #""hp":4,"at":1"#), ("kit", #""hp":5,"at":2"#), ("kit", #""hp":6"#),
                ("kit", #""hp":7,"at":null"#), ("crow", #""hp":8,"at":0.5"#),
                ("crow", #""hp":9,"at":1e1"#),
            ]
        )
        #expect(found == [true, false, true, true, false, true, true, false, true])
        #expect(harness.reasons().count { $0 == .outdated } == 3)
        #expect(!harness.reasons().contains(.unchanged))
        let replica = try #require(harness.router.replica)
        #expect(replica.difference(from: harness.router.router) == nil)
    }

    @Test("treats a push as a change once the reload of the one before it was dropped")
    func expired() {
        let (harness, _) = harness { $0.budget = .fixed(5, spacing: 300_000) }
        harness.push(payload(#""hp":20"#))
        #expect(harness.settle().count == 1)
        harness.push(payload(#""hp":30"#), expiresAt: minute)
        #expect(harness.run(until: 10 * minute) == [])
        harness.push(payload(#""hp":30"#))
        #expect(harness.settle().count == 1)
    }

    @Test("keeps a reload of an expired push if a later push has confirmed it")
    func confirmed() {
        let (harness, _) = harness { $0.budget = .fixed(5, spacing: 300_000) }
        harness.push(payload(#""hp":20"#))
        #expect(harness.settle().count == 1)
        harness.push(payload(#""hp":30"#), expiresAt: minute)
        harness.push(payload(#""hp":30"#))
        #expect(harness.reasons().last == .unchanged)
        #expect(harness.run(until: 10 * minute).count == 1)
    }

    @Test("keeps it too if it waits for a full connection")
    func confirmedWhenReady() {
        let (harness, device) = harness()
        harness.router.router.outputFilled(device)
        harness.push(payload(#""hp":30"#), expiresAt: minute)
        harness.push(payload(#""hp":30"#))
        #expect(harness.run(until: 10 * minute) == [])
        harness.router.router.outputDrained(device)
        #expect(harness.settle().count == 1)
    }

    @Test("brings the latest inlined values, also those of unchanged pushes")
    func values() {
        let (harness, _) = harness(inlines: ["hp", "level"])
        harness.push(payload(#""hp":30"#))
        #expect(harness.settle().map(\.reload.values) == [[:]])
        harness.push(payload(#""level":5"#))
        #expect(harness.settle() == [])
        harness.push(payload(#""hp":31,"gold":1"#))
        #expect(harness.settle().map(\.reload.values) == [["w": #"{"hp":31,"level":5}"#]])
    }

    @Test("brings no values of a push to a widget that was made anew meanwhile")
    func replacedMeanwhile() {
        let harness = SchedulingHarness([.unlimited { $0.inlines = ["hp"] }], store: nil) {
            $0.matchesPerStep = 2
        }
        let names = ["v", "w", "x"]
        let device = harness.device("d", names.map { .character($0, "kit") })
        harness.push(payload(#""hp":30"#))
        // All are found in this step, and handed out from the next one on.
        #expect(harness.router.step() == [])
        harness.router.widgets(
            device,
            "d",
            names.map { .character($0, $0 == "w" ? "nim" : "kit") }
        )
        var values: [String: String] = [:]
        let reloads = harness.settle().map(\.reload)
        for reload in reloads { values.merge(reload.values) { first, _ in first } }
        #expect(values == ["v": #"{"hp":30}"#, "x": #"{"hp":30}"#])
        #expect(reloads.flatMap(\.widgets).sorted() == names, "all are owed a RELOAD")
    }

    @Test("forgets the values of a kind that has left the app file and come back")
    func kindGoesAndComes() {
        let kind = KindDeclaration.unlimited { $0.inlines = ["hp"] }
        let harness = SchedulingHarness([kind])
        let device = harness.device("d", [.character("w", "kit")])
        harness.push(#"{"character":"kit","hp":30}"#)
        #expect(harness.settle().map(\.reload.values) == [["w": #"{"hp":30}"#]])
        harness.router.router.install(.of([]))
        harness.push(#"{"character":"kit","hp":10}"#)
        #expect(harness.settle() == [])
        harness.router.router.install(.of([kind]))
        harness.router.request(device, "d")
        #expect(harness.settle().map(\.reload.values) == [[:]])
    }

    @Test("needs no permit for a RELOAD that brings all its values")
    func noPermit() {
        let (harness, _) = harness(observes: [], inlines: ["hp"], origin: 1)
        let others = (0..<5).map { harness.device("o\($0)", [.character("w", "kit")]) }
        #expect(others.count == 5)
        harness.push(payload(#""gold":1"#))
        let slow = harness.run(until: minute)
        #expect(slow.count == 6 && slow.last!.at >= 4_000)
        let before = harness.time
        for hp in 0..<3 {
            harness.push(payload(#""hp":\#(hp)"#))
            let sent = harness.settle()
            #expect(sent.count == 6 && sent.allSatisfy { $0.at == before })
            #expect(sent.allSatisfy { $0.reload.values == ["w": #"{"hp":\#(hp)}"#] })
        }
    }

    @Test("needs a permit for a RELOAD whose values are too long to be inlined")
    func longValues() {
        let (harness, _) = harness(observes: [], inlines: ["hp"], origin: 1)
        _ = harness.device("e", [.character("w", "kit")])
        let long = String(repeating: "x", count: 600)
        harness.push(payload(#""hp":"\#(long)""#))
        let sent = harness.run(until: minute)
        #expect(sent.count == 2 && sent.last!.at >= 1_000)
        #expect(sent.allSatisfy { $0.reload.values == [:] })
    }

    @Test("keeps every RELOAD below 64 KiB, with 256 widgets of 512 bytes and long names")
    func portions() {
        let harness = SchedulingHarness([
            .character {
                $0.budget = .unlimited
                $0.inlines = ["text"]
            }
        ])
        let widgets = (0..<256).map { number in
            TestWidget.character("\(1_000 + number)" + String(repeating: "w", count: 124), "kit")
        }
        _ = harness.device("d", widgets)
        let text = String(repeating: "t", count: 512 - #"{"text":""}"#.count)
        harness.push(payload(#""text":"\#(text)""#))
        let sent = harness.settle()
        #expect(sent.allSatisfy { $0.reload.byteCount < 65_536 })
        #expect(sent.flatMap(\.widgets).count == 256)
        #expect(Set(sent.flatMap(\.widgets)) == Set(widgets.map(\.id)))
        let values = sent.flatMap { Array($0.reload.values) }
        #expect(values.count == 256 && values.allSatisfy { $0.value.utf8.count == 512 })
    }
}
