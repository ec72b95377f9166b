import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// A salvage of which records are missing, out of date, or in parts.
extension StateSalvageTests {
    func page(_ record: StateRecord, part: UInt16 = 0) -> TableKey {
        TableKey(type: record.rawValue, number: 0, part: part, epoch: 1)
    }

    // MARK: - The table

    @Test func `joins the parts of a long record, and leaves it out if one is missing`() throws {
        let harness = harness(padding: 2 * StateRecord.partLimit)
        let records = StateImage(harness.router).records
        let whole = try salvaged(records)
        let (apps, all) = (whole.router.storedCounts.apps, harness.router.storedCounts.apps)
        #expect(apps == all && apps > 0 && whole.problems == [])
        for part in 0...2 as ClosedRange<UInt16> {
            let found = try salvaged(records, without: [page(.catalog, part: part)])
            let left = found.router.storedCounts.apps
            #expect(left == 0 && found.problems.count == 1)
        }
    }

    @Test func `keeps for which of Apple's services tokens are`() throws {
        let harness = harness()
        let gateway = harness.connect(.gateway)
        let list = TestWidget.character("w", "kit").json
        for (device, service) in [("d", "sandbox"), ("e", "production")] {
            harness.device(
                gateway,
                .widgets,
                #"{"device":"\#(device)","pushToken":"aa\#(device)\#(device)","#
                    + #""environment":"\#(service)","widgets":[\#(list)]}"#
            )
        }
        _ = harness.step()
        func services(_ router: borrowing Router) -> [APNsEnvironment] {
            [router.state.reloads.delivery.devices[0].environment]
                + [router.state.reloads.delivery.devices[1].environment]
        }
        let reported = services(harness.router)
        #expect(reported == [.sandbox, .production])
        let found = try salvaged(StateImage(harness.router).records)
        let kept = services(found.router)
        #expect(kept == [.sandbox, .production])
    }

    // MARK: - Revocations

    @Test func `says that revocations may be lost with a table or a part of a journal`() throws {
        let harness = harness()
        _ = try harness.router.revokeTokens(
            of: "d",
            app: "game",
            before: 7_000,
            now: harness.now
        )
        let journal = [taken(harness)]
        let records = StateImage(harness.router).records
        for first in 1...2 as ClosedRange<UInt64> {
            let found = try salvaged([:], journal: journal, from: first)
            #expect(found.lost.lacksRevocations == (first > 1))
        }
        for first in 2...3 as ClosedRange<UInt64> {
            let found = try salvaged(records, checkpoint: 1, journal: journal, from: first)
            #expect(found.lost.lacksRevocations == (first > 2))
        }
        // The list of an older checkpoint is kept, but may lack some.
        let older = try salvaged(records, epoch: 2)
        let before = older.router.tokensRevokedBefore(device: "d", app: "game")
        #expect(before == 7_000 && older.lost.lacksRevocations)
    }

    // MARK: - Producers and their requests

    func lastSeq(_ name: String, _ router: borrowing Router) -> UInt64? {
        Array(name.utf8).withByteView { name in
            let number = router.state.publishers.producers.find(of: 0, named: name)
            return number.map { router.state.publishers.producers[$0].lastSeq }
        }
    }

    @Test func `counts pushes whose producers are not known, and gives them to no other`() throws {
        let harness = harness()
        func publish(_ name: String, _ count: UInt64) {
            let slot = harness.connect(.publisher, name)
            for seq in 1...count { harness.push(slot, seq, "{}") }
            _ = harness.step()
            harness.close(slot)
            _ = harness.step()
        }
        publish("a", 9)
        harness.router.forget([0])
        publish("c", 1)
        let records = StateImage(harness.router).records
        let covered = taken(harness)
        publish("b", 5)
        let journal = [covered, taken(harness)]
        let whole = try salvaged(records, checkpoint: 1, journal: journal)
        let seqs = ["a", "b", "c"].map { lastSeq($0, whole.router) }
        #expect(seqs == [nil, 5, 1] && whole.namelessPushes == 0)
        // Without the names of those that were there, the number of a new one is not known.
        let rest = try salvaged(
            records,
            without: [page(.producers)],
            checkpoint: 1,
            journal: journal
        )
        let left = ["a", "b", "c"].map { lastSeq($0, rest.router) }
        #expect(left == [nil, nil, nil] && rest.namelessPushes == 15)
    }

    @Test func `counts on a key of the table whose producer is not known`() throws {
        let harness = harness()
        let slot = try publisher(harness)
        push(harness, on: slot)
        harness.router.endRequest(slot, lines: 0, now: harness.now)
        let records = StateImage(harness.router).records
        let covered = taken(harness)
        begin(harness, slot, 3, 103)
        harness.push(slot, 104, "{}")
        _ = harness.step()
        harness.router.endRequest(slot, lines: 2, now: harness.now)
        let found = try salvaged(
            records,
            without: [page(.producers)],
            checkpoint: 1,
            journal: [covered, taken(harness)]
        )
        try expect(found.router, 3, lines: 2, accepted: 2, isAnswered: true)
        // Chains of an older checkpoint may lead to keys of others.
        let older = try salvaged(records, epoch: 2)
        #expect(older.lost[.requestKeys] == 3)
    }

    @Test func `accepts no more pushes of a request than it has lines`() {
        var requests = SalvagedRequests()
        requests.began(Self.key(1), of: 0, app: 0, firstSeq: 1)
        requests.accepted(upTo: 1, count: 1, of: 0)
        requests.accepted(upTo: 3, count: .max, of: 0)
        #expect(requests.kept.map(\.accepted) == [3])
    }

    // MARK: - The new journal

    @Test func `leads on after a body that is refused`() throws {
        let journal = taken(harness())
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        router.beginFollowing()
        var refused = 0
        for body in [[0xff], journal, [0xff], journal] {
            do throws(StoreError) {
                try body.withByteView { view throws(StoreError) in try router.follow(view) }
            } catch {
                refused += 1
            }
        }
        let apps = router.storedCounts.apps
        #expect(refused == 2 && apps > 0)
    }
}
