import Basics
import FrameCodec
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing
import WidgetMatching

@testable import RouterCore

/// Inputs that there are only where a store has several partitions.
@Suite("A partition that follows its log")
struct HomeInputTests {
    private static let catalog = AppCatalog.of(
        [.character { $0.origin = "api" }],
        [OriginDeclaration(origin: "api", perSecond: 3)]
    )

    /// A router that has an app file, a producer, and a device with two widgets.
    private static func router(_ partition: Partition = Partition(1, of: 3)) -> RouterHarness {
        let harness = RouterHarness(catalog: AppCatalog(apps: []), partition: partition)
        harness.keepJournal(catalog)
        _ = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        let device = (0...).lazy.map { "d\($0)" }.first { name in
            let map = PartitionMap(count: Int(partition.count), seed: DecisionSeed(1))
            return "game".withByteView { app in
                name.withByteView { map.partition(app: app, device: $0) }
            } == partition.id
        }!
        harness.widgets(gateway, device, [.character("v", "elf"), .character("w", "elf")])
        _ = harness.step()
        return harness
    }

    /// What the router says of inputs that it has not written; nil if it applies them.
    private static func problem(
        of partition: Partition = Partition(1, of: 3),
        _ inputs: (inout StoreWriter) -> Void
    ) -> String? {
        let harness = router(partition)
        let image = StateImage(harness.router)
        var follower = Router(
            catalog: AppCatalog(apps: []),
            limits: harness.router.limits,
            seed: 1,
            partition: partition
        )
        let store = SimulatedStore()
        var writer = StoreWriter()
        inputs(&writer)
        do throws(StoreError) {
            try RecoveryFuzzTests.fill(
                store,
                image.records,
                [writer.bytes.array],
                partition: partition
            )
            _ = try follower.recover(from: store)
            return nil
        } catch {
            return error.message
        }
    }

    private static let source = HomeProducer(home: 2, producer: 7, app: 0)

    /// Writes matches of pushes that home 2 forwards, of one widget each.
    private static func match(
        _ numbers: [UInt64],
        of source: HomeProducer = source,
        areApplied: Bool = true,
        to writer: inout StoreWriter
    ) {
        let pushes = numbers.enumerated().map { tag, number in
            MatchedPush(
                tag: UInt32(tag),
                number: number,
                fanOut: UInt64(tag) + 1,
                reloadsSince: 0,
                expiresAt: .max
            )
        }
        let matches = pushes.map { WidgetMatch(widget: 0, tag: $0.tag) }
        RouterInput.matched(
            source: .home(source),
            areApplied: areApplied,
            pushes: pushes.span,
            matches: matches.span
        )
        .write(to: &writer)
    }

    private static func end(
        upTo number: UInt64,
        count: UInt64,
        of source: HomeProducer = source,
        to writer: inout StoreWriter
    ) {
        RouterInput.batchEnded(source: .home(source), last: number, count: count)
            .write(to: &writer)
    }

    private static func accept(
        _ pushes: [(seq: UInt64, body: String)],
        flags: UInt8 = 0,
        to writer: inout StoreWriter
    ) {
        let bodies = pushes.map { Array($0.body.utf8) }
        func write(_ index: Int, _ list: [AcceptedPush], to writer: inout StoreWriter) {
            if index == pushes.count {
                RouterInput.pushesAccepted(producer: 0, pushes: list.span).write(to: &writer)
                return
            }
            bodies[index].withByteView { view in
                let push = AcceptedPush(seq: pushes[index].seq, flags: flags, body: view)
                write(index + 1, list + [push], to: &writer)
            }
        }
        write(0, [], to: &writer)
    }

    @Test("applies what partitions do for each other")
    func legal() {
        let problem = Self.problem { writer in
            Self.accept([(1, "{}"), (4, #"{"character":"elf"}"#)], to: &writer)
            Self.match([5, 9], to: &writer)
            Self.end(upTo: 3, count: 2, to: &writer)
            Self.match([7], areApplied: false, to: &writer)
            Self.end(upTo: 9, count: 4, to: &writer)
            RouterInput.portionApplied(count: 1).write(to: &writer)
            RouterInput.pushesSettled(upTo: 1).write(to: &writer)
            RouterInput.permitsLent(origin: 1, count: 1).write(to: &writer)
        }
        #expect(problem == nil)
    }

    @Test("refuses all of them if there is no other partition")
    func onlyPartition() {
        let inputs: [(inout StoreWriter) -> Void] = [
            { Self.accept([(1, "{}")], to: &$0) },
            { Self.match([5], to: &$0) },
            { Self.end(upTo: 1, count: 1, to: &$0) },
            { RouterInput.pushesSettled(upTo: 1).write(to: &$0) },
            { RouterInput.permitsLent(origin: 1, count: 1).write(to: &$0) },
            { RouterInput.permitsBorrowed(origin: 1, count: 1, second: 0).write(to: &$0) },
        ]
        for input in inputs {
            let problem = Self.problem(of: .only, input)
            #expect(problem?.contains("an input of several partitions") == true, "\(problem ?? "")")
        }
    }

    @Test("skips no push of a home, takes none twice, and knows its partitions")
    func evaluated() {
        func expect(
            _ sentence: String,
            _ inputs: (inout StoreWriter) -> Void,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let problem = Self.problem(inputs) ?? "nothing"
            #expect(problem.contains(sentence), "\(problem)", sourceLocation: sourceLocation)
        }
        expect("push 5 of home 2 was evaluated before") { writer in
            Self.match([5], to: &writer)
            Self.end(upTo: 0, count: 1, to: &writer)
            Self.match([5], to: &writer)
        }
        expect("push 4 of home 2 was evaluated before") { writer in
            Self.match([5], to: &writer)
            Self.end(upTo: 4, count: 1, to: &writer)
            Self.match([4], to: &writer)
        }
        expect("push 6 of home 2 comes after push 6") { Self.match([6, 6], to: &$0) }
        expect("the pushes up to 3 are evaluated, and were up to 4") { writer in
            Self.match([5], to: &writer)
            Self.end(upTo: 4, count: 1, to: &writer)
            Self.match([6], to: &writer)
            Self.end(upTo: 3, count: 1, to: &writer)
        }
        expect("push 5 was evaluated before") { writer in
            Self.match([5], to: &writer)
            Self.end(upTo: 0, count: 1, to: &writer)
            Self.match([5], of: HomeProducer(home: 0, producer: 7, app: 0), to: &writer)
            Self.end(upTo: 0, count: 1, to: &writer)
        }
        let other = HomeProducer(home: 3, producer: 0, app: 0)
        expect("there is no partition 3") { Self.match([1], of: other, to: &$0) }
        expect("there is no app 9") {
            Self.match([1], of: HomeProducer(home: 0, producer: 0, app: 9), to: &$0)
        }
        expect("a producer's pushes overtake each other") { writer in
            Self.match([5], areApplied: false, to: &writer)
            Self.end(upTo: 5, count: 1, to: &writer)
            Self.match([6], areApplied: false, to: &writer)
        }
        expect("1025 pushes are evaluated before others") { writer in
            for number in 2...1_026 as ClosedRange<UInt64> {
                Self.match([number], to: &writer)
                Self.end(upTo: 0, count: 1, to: &writer)
            }
        }
    }

    @Test("accepts only what a publisher can have sent, and settles only what it has")
    func accepted() {
        func problem(_ inputs: (inout StoreWriter) -> Void) -> String {
            Self.problem(inputs) ?? "nothing"
        }
        #expect(problem { Self.accept([], to: &$0) }.contains("no pushes are accepted"))
        #expect(
            problem { Self.accept([(2, "{}"), (2, "{}")], to: &$0) }
                .contains("the push numbers of producer 0 go back from 2 to 2")
        )
        #expect(problem { Self.accept([(1, "{")], to: &$0) }.contains("a push was refused"))
        #expect(
            problem { Self.accept([(1, "{}")], flags: PushFlags.expires, to: &$0) }
                .contains("flag 0x02 wants 8 for the date")
        )
        #expect(
            problem { Self.accept([(1, "{}")], flags: 64, to: &$0) }
                .contains("a push has the flags 64")
        )
        for number in [0, 2] as [UInt64] {
            let problem = problem { writer in
                Self.accept([(1, "{}")], to: &writer)
                RouterInput.pushesSettled(upTo: number).write(to: &writer)
            }
            #expect(problem.contains("push \(number) is settled, of those from 0 to 1"))
        }
        #expect(
            problem { writer in
                Self.accept([(1, "{}")], to: &writer)
                RouterInput.sessionEnded(connection: 0).write(to: &writer)
                RouterInput.producersForgotten([0].span).write(to: &writer)
            }
            .contains("producer 0 was forgotten while it was in use")
        )
    }

    @Test("lends and borrows what an origin can have, in this second")
    func permits() {
        func problem(_ inputs: (inout StoreWriter) -> Void) -> String {
            Self.problem(inputs) ?? "nothing"
        }
        let second = SlotLedger.second(of: Self.router().router.state.reloads.clock.schedule.now)
        #expect(
            problem { RouterInput.permitsLent(origin: 1, count: 3).write(to: &$0) }
                .contains("3 permits are lent, and ")
        )
        #expect(
            problem { RouterInput.permitsLent(origin: 0, count: 1).write(to: &$0) }
                .contains("there is no origin 0 with a rate")
        )
        for count in [0, 4] {
            for present in [second, second + 1] {
                let problem = problem {
                    RouterInput.permitsBorrowed(origin: 1, count: count, second: present)
                        .write(to: &$0)
                }
                let sentence =
                    present == second
                    ? "\(count) permits of origin 1, which has 3 a second"
                    : "permits of second \(present) are borrowed in \(second)"
                #expect(problem.contains(sentence), "\(problem)")
            }
        }
    }

    @Test("installs app files in the order of their numbers")
    func revisions() {
        func problem(_ revision: UInt32, of partition: Partition) -> String {
            let source = Self.catalog.source
            return Self.problem(of: partition) { writer in
                source.withByteView {
                    RouterInput.catalogInstalled(
                        Self.catalog,
                        source: $0,
                        revision: revision,
                        after: nil
                    )
                    .write(to: &writer)
                }
            } ?? "nothing"
        }
        let several = Partition(0, of: 2)
        #expect(problem(2, of: several) == "nothing" && problem(0, of: .only) == "nothing")
        #expect(problem(1, of: several).contains("the app files' numbers go back from 1 to 1"))
        #expect(problem(0, of: several).contains("an app file without a number"))
        #expect(problem(1, of: .only).contains("an input of several partitions"))
    }

    // MARK: - What is kept

    @Test("knows after a restart what it has accepted, evaluated and borrowed")
    func restored() throws {
        let harness = Self.router()
        let body = Array(#"{"character":"elf"}"#.utf8)
        body.withByteView { view in
            let pushes = [
                AcceptedPush(seq: 3, flags: PushFlags.urgent, body: view),
                AcceptedPush(seq: 4, flags: 0, body: view),
            ]
            let first = harness.router.accept(pushes.span, of: 0)
            #expect(first == 1)
            let forwarded = [
                ForwardedPush(number: 8, flags: 0, body: view),
                ForwardedPush(number: 11, flags: 0, body: view),
            ]
            harness.router.evaluate(forwarded.span, of: Self.source, upTo: 8)
        }
        let second = SlotLedger.second(of: harness.router.state.reloads.clock.schedule.now)
        let isBorrowed = harness.router.borrowPermits(2, of: 1, second: second)
        #expect(isBorrowed)
        _ = harness.step()
        harness.router.settle(upTo: 1)
        _ = harness.step()
        #expect(harness.replica?.difference(from: harness.router) == nil)
        let image = StateImage(harness.router)
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, image.records, [], partition: harness.router.partition)
        var restored = Router(
            catalog: AppCatalog(apps: []),
            limits: harness.router.limits,
            seed: 1,
            partition: harness.router.partition
        )
        _ = try restored.recover(from: store)
        #expect(restored.state.reloads.catalog.revision == 1)
        #expect(restored.state.publishers.unsettled.last == 2)
        #expect(restored.state.publishers.unsettled.settled == 1)
        #expect(restored.state.publishers.producers[0].unsettled == 1)
        var entries = restored.state.publishers.unsettled.entries(after: 1)
        let next = entries.next()
        let entry = try #require(next)
        #expect(entry.number == 2 && entry.producer == 0 && entry.app == 0)
        #expect(entry.push.seq == 4 && entry.push.body.array == body)
        let isOver = entries.next() == nil
        #expect(isOver)
        let evaluated = restored.state.publishers.evaluated
        #expect(evaluated.map(\.floor) == [0, 0, 8] && evaluated[2].above == [11])
        let now = harness.router.state.reloads.clock.schedule.now
        let wanted = harness.router.state.reloads.schedules.origins[1].ledger.permits(at: now)
        let permits = restored.state.reloads.schedules.origins[1].ledger.permits(at: now)
        // Its share is one, it has borrowed two, and two widgets have reloaded.
        #expect(permits == wanted && permits == 1)
    }

    @Test("is refused as another's, and so is a store of one partition by one of several")
    func otherPartition() throws {
        for (written, read) in [
            (Partition(1, of: 3), Partition(2, of: 3)), (Partition(1, of: 3), .only),
            (.only, Partition(0, of: 2)),
        ] {
            let image = StateImage(Self.router(written).router)
            let store = SimulatedStore()
            try RecoveryFuzzTests.fill(store, image.records, [], partition: written)
            var router = Router(
                catalog: AppCatalog(apps: []),
                limits: RouterLimits(),
                seed: 1,
                partition: read
            )
            let error = #expect(throws: StoreError.self) { _ = try router.recover(from: store) }
            #expect(error?.code == .partitions)
        }
    }

    @Test("is damaged without the record of what partitions know of each other")
    func missingRecord() throws {
        let harness = Self.router()
        var records = StateImage(harness.router).records
        let key = TableKey(type: StateRecord.homes.rawValue, number: 0, epoch: 1)
        #expect(records.removeValue(forKey: key) != nil)
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [], partition: harness.router.partition)
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: RouterLimits(),
            seed: 1,
            partition: harness.router.partition
        )
        let error = #expect(throws: StoreError.self) { _ = try router.recover(from: store) }
        #expect(error?.code == .corrupt)
        #expect(error?.message == "what partitions know of each other's pushes is missing")
    }

    @Test("accepts no push while too many bytes are not settled, and then continues")
    func room() {
        let harness = Self.router()
        let payload = Array(#"{"text":"\#(String(repeating: "x", count: 60_000))"}"#.utf8)
        var seq: UInt64 = 0
        func accept() -> UInt64? {
            seq += 1
            return payload.withByteView { view in
                let push = AcceptedPush(seq: seq, flags: 0, body: view)
                return harness.router.accept([push].span, of: 0)
            }
        }
        var last: UInt64 = 0
        while let number = accept() { last = number }
        #expect(last == UInt64(RouterLimits.unsettledBytes / 60_030))
        #expect(harness.router.state.publishers.unsettled.last == last, "nothing has changed")
        harness.router.settle(upTo: 10)
        harness.router.settle(upTo: 10)
        harness.checkInvariants()
        seq = last
        for number in 1...10 as ClosedRange<UInt64> { #expect(accept() == last + number) }
        #expect(accept() == nil)
        harness.router.settle(upTo: last + 10)
        harness.checkInvariants()
        #expect(harness.router.state.publishers.unsettled.bytes.count == 0)
        #expect(harness.router.state.publishers.producers[0].unsettled == 0)
        harness.writeJournal()
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    // MARK: - What is printed

    @Test("is printed with all that it has")
    func dump() throws {
        func text(_ entry: RouterInputWriter) throws -> String {
            let line = try Dump.line(entry)
            #expect(line.problem == nil)
            let text = String(decoding: line.text, as: UTF8.self)
            let list = try #require(text.firstIndex(of: "["))
            return String(text[list...].dropFirst().dropLast(2))
        }
        #expect(
            try text { Self.match([5], to: &$0) }
                == #"{"entry":"forwarded","home":2,"producer":7,"app":0,"areTaken":true,"#
                + #""matches":[{"push":0,"number":5,"isUrgent":false,"isVoid":false,"burst":1,"#
                + #""reloadsSince":0,"widgets":[0]}]}"#
        )
        #expect(
            try text { Self.end(upTo: 4, count: 3, to: &$0) }
                == #"{"entry":"evaluated","home":2,"producer":7,"app":0,"upTo":4,"bursts":3}"#
        )
        #expect(
            try text { Self.accept([(6, #"{"a":1}"#)], flags: PushFlags.urgent, to: &$0) }
                == #"{"entry":"accepted","producer":0,"#
                + #""pushes":[{"seq":6,"isUrgent":true,"payload":{"a":1}}]}"#
        )
        #expect(
            try text { RouterInput.pushesSettled(upTo: 9).write(to: &$0) }
                == #"{"entry":"settled","upTo":9}"#
        )
        #expect(
            try text { RouterInput.permitsLent(origin: 1, count: 2).write(to: &$0) }
                == #"{"entry":"lent","origin":1,"count":2}"#
        )
        #expect(
            try text {
                RouterInput.permitsBorrowed(origin: 1, count: 2, second: 70).write(to: &$0)
            } == #"{"entry":"borrowed","origin":1,"count":2,"second":70}"#
        )
        let revision = try text { writer in
            Self.catalog.source.withByteView {
                RouterInput.catalogInstalled(
                    Self.catalog,
                    source: $0,
                    revision: 8,
                    after: nil
                )
                .write(to: &writer)
            }
        }
        #expect(revision.hasPrefix(#"{"entry":"revision","revision":8,"bytes":"#))
    }
}

private typealias RouterInputWriter = (inout StoreWriter) -> Void
