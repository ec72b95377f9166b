import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// A salvage that cannot know what belongs to whom, because entries of the journal are missing, or
/// numbers were reused.
extension StateSalvageTests {
    private func catalog(_ apps: String...) -> AppCatalog {
        AppCatalog(
            apps: apps.map {
                AppDeclaration(app: $0, kinds: [KindDeclaration(kind: "k", policy: .unlimited)])
            }
        )
    }

    private func install(_ harness: RouterHarness, _ catalog: AppCatalog) {
        harness.router.install(catalog, source: catalog.source)
    }

    private func revoke(_ harness: RouterHarness, of app: String) throws {
        let now = harness.now
        _ = try harness.router.revokeTokens(of: "d", app: app, before: 7_000, now: now)
    }

    private func publish(_ harness: RouterHarness, _ name: String, _ count: UInt64) {
        let slot = harness.connect(.publisher, name)
        for seq in 1...count { harness.push(slot, seq, "{}") }
        _ = harness.step()
        harness.close(slot)
        _ = harness.step()
    }

    /// The records, of which all but some are those of the second checkpoint.
    private func records(
        _ harness: RouterHarness,
        butOf record: StateRecord,
        _ older: [TableKey: [UInt8]]
    ) -> [TableKey: [UInt8]] {
        var all = older.filter { $0.key.type == record.rawValue }
        for (key, body) in StateImage(harness.router).records where key.type != record.rawValue {
            var key = key
            key.epoch = 2
            all[key] = body
        }
        return all
    }

    // MARK: - Gaps

    @Test func `ends requests where entries are missing or cannot be read`() throws {
        let harness = harness()
        let slot = try publisher(harness)
        begin(harness, slot, 1, 1)
        for seq in 1...2 as ClosedRange<UInt64> { harness.push(slot, seq, "{}") }
        _ = harness.step()
        let before = taken(harness)
        let records = StateImage(harness.router).records
        harness.router.endRequest(slot, lines: 2, now: harness.now)
        begin(harness, slot, 2, 3)
        _ = taken(harness)
        for seq in 3...8 as ClosedRange<UInt64> { harness.push(slot, seq, "{}") }
        _ = harness.step()
        let after = taken(harness)
        for body in [[], [0xff]] as [[UInt8]] {
            let found = try salvaged([:], journal: [before, body, after])
            try expect(found.router, 1, lines: 2, accepted: 2, isAnswered: false)
            #expect(found.lost[.requestKeys] == 1 && found.lost.lacksRevocations)
            let table = try salvaged(records, checkpoint: 1, journal: [before, body, after])
            try expect(table.router, 1, lines: 2, accepted: 2, isAnswered: false)
            #expect(table.lost[.requestKeys] == 1 && table.lost.lacksRevocations)
        }
        // What is missing in front of the checkpoint is in the table.
        let covered = try salvaged(records, checkpoint: 3, journal: [before, [0xff], [], after])
        try expect(covered.router, 1, lines: 8, accepted: 8, isAnswered: false)
        #expect(!covered.lost.lacksRevocations)
    }

    @Test func `gives the lists of a session to no app if its begin may be missing`() throws {
        let harness = harness(catalog("game", "news"))
        harness.close(harness.connect(.gateway, slot: 7))
        _ = harness.connect(.gateway, slot: 7)
        let before = taken(harness)
        let older = StateImage(harness.router).records
        harness.close(7)
        _ = harness.connect(.gateway, app: "news", slot: 7)
        _ = taken(harness)
        let records = StateImage(harness.router).records
        let mixed = self.records(harness, butOf: .connections, older)
        harness.widgets(7, "d", [TestWidget("w", "k")])
        _ = harness.step()
        let after = taken(harness)
        let gap = try salvaged([:], journal: [before, [], after])
        let left = gap.router.storedCounts.devices
        #expect(left == 0 && gap.lost[.lists] == 1)
        // The sessions at the checkpoint are in the table.
        let table = try salvaged(records, checkpoint: 2, journal: [before, [], after])
        let news = table.router.decisions(ofDevice: "d", app: "news")
        let game = table.router.decisions(ofDevice: "d", app: "game")
        #expect(news != nil && game == nil && table.lost[.lists] == 0)
        // Those of an earlier checkpoint may have ended.
        let old = try salvaged(mixed, checkpoint: 2, epoch: 2, journal: [after], from: 3)
        let none = old.router.storedCounts.devices
        #expect(none == 0 && old.lost[.lists] == 1 && old.problems == [])
    }

    @Test func `says that revocations may be lost with the end of the journal`() throws {
        let harness = harness()
        let journal = [taken(harness)]
        let records = StateImage(harness.router).records
        for last in 1...2 as ClosedRange<UInt64> {
            let alone = try salvaged([:], journal: journal, to: last)
            #expect(alone.lost.lacksRevocations == (last > 1))
            let found = try salvaged(records, checkpoint: 1, to: last)
            #expect(found.lost.lacksRevocations == (last > 1))
        }
    }

    @Test func `believes a whole table, and not what came before it`() throws {
        let harness = harness(catalog("news"))
        try revoke(harness, of: "news")
        let revoked = taken(harness)
        _ = try harness.router.withdrawRevocation(of: "d", app: "news", now: harness.now)
        let withdrawn = taken(harness)
        install(harness, catalog("news", "game"))
        try revoke(harness, of: "news")
        _ = taken(harness)
        let records = StateImage(harness.router).records
        let found = try salvaged(records, checkpoint: 3, journal: [revoked, withdrawn, []])
        let apps = found.router.storedCounts.apps
        let before = found.router.tokensRevokedBefore(device: "d", app: "news")
        #expect(apps == 2 && before == 7_000 && !found.lost.lacksRevocations)
    }

    @Test func `counts a request that was open at a checkpoint if all after it is lost`() throws {
        let harness = harness()
        let slot = try publisher(harness)
        begin(harness, slot, 1, 1)
        harness.push(slot, 1, "{}")
        _ = harness.step()
        let records = StateImage(harness.router).records
        for last in 1...2 as ClosedRange<UInt64> {
            let found = try salvaged(records, checkpoint: 1, to: last)
            #expect(found.lost[.requestKeys] == (last > 1 ? 1 : 0))
        }
    }

    @Test func `knows of what is missing in front, also without a manifest`() throws {
        let harness = harness()
        let journal = [taken(harness)]
        let records = StateImage(harness.router).records
        for began in [11, 1] as [UInt64] {
            let found = try salvaged(
                records,
                checkpoint: nil,
                journal: journal,
                from: 11,
                began: began
            )
            #expect(found.lost.lacksRevocations == (began < 11))
        }
    }

    @Test func `counts the requests whose end is not known`() {
        var requests = SalvagedRequests()
        requests.began(Self.key(1), of: 3, app: 0, firstSeq: 1)
        requests.sessionBegan { $0 == 4 }
        #expect(requests.lostCount == 0)
        requests.sessionBegan { $0 == 3 }
        #expect(requests.lostCount == 1)
    }

    // MARK: - The numbers of apps

    @Test func `numbers apps only if it is known which came before`() throws {
        let harness = harness(catalog("news"))
        try revoke(harness, of: "news")
        let first = taken(harness)
        install(harness, catalog("game", "news"))
        let second = taken(harness)
        let records = StateImage(harness.router).records.filter {
            $0.key.type != StateRecord.catalog.rawValue
        }
        let whole = try salvaged(records, checkpoint: 1, journal: [first, second])
        let kept = ["news", "game"].map {
            whole.router.tokensRevokedBefore(device: "d", app: $0)
        }
        #expect(kept == [7_000, nil] && whole.problems == [])
        let cut = try salvaged(records, checkpoint: 1, journal: [[], second])
        let left = ["news", "game"].map { cut.router.tokensRevokedBefore(device: "d", app: $0) }
        #expect(left == [nil, nil] && cut.lost[.revocations] == 1)
        #expect(cut.problems.map(\.code) == [.gap, .gap])
    }

    @Test func `gives no number to an app that is new after a gap`() throws {
        let harness = harness(catalog("news"))
        let first = taken(harness)
        install(harness, catalog("news", "other"))
        _ = taken(harness)
        install(harness, catalog("news", "game"))
        try revoke(harness, of: "other")
        let found = try salvaged([:], journal: [first, [], taken(harness)])
        let left = ["news", "game"].map { found.router.tokensRevokedBefore(device: "d", app: $0) }
        #expect(left == [nil, nil] && found.lost[.revocations] == 1 && found.problems.count == 1)
    }

    @Test func `says that the app file is that of an earlier checkpoint`() throws {
        let harness = harness(catalog("news"))
        let older = StateImage(harness.router).records
        install(harness, catalog("game", "news"))
        let found = try salvaged(records(harness, butOf: .catalog, older), epoch: 2)
        let apps = found.router.storedCounts.apps
        #expect(apps == 1 && found.problems.count == 1)
        #expect(found.problems.first?.message.contains("an earlier checkpoint") == true)
    }

    @Test func `has an app for each name that has other bytes`() throws {
        let names = ["caf\u{e9}", "cafe\u{301}"]
        #expect(names[0] == names[1])
        let harness = harness(catalog(names[0], names[1]))
        let slot = harness.connect(.publisher, "p", app: names[1])
        harness.push(slot, 1, "{}")
        _ = harness.step()
        let records = StateImage(harness.router).records
        let journal = [taken(harness)]
        for isOfTable in [true, false] {
            let found = isOfTable ? try salvaged(records) : try salvaged([:], journal: journal)
            let number = Array("p".utf8).withByteView {
                found.router.state.publishers.producers.find(of: 1, named: $0)
            }
            let apps = found.router.storedCounts.apps
            #expect(apps == 2 && number != nil && found.problems == [])
        }
    }

    // MARK: - The numbers of producers

    @Test func `takes back what the former producer of a number has pushed`() throws {
        let harness = harness()
        publish(harness, "a", 9)
        harness.router.forget([0])
        publish(harness, "c", 1)
        let records = StateImage(harness.router).records
        let found = try salvaged(records, checkpoint: nil, journal: [taken(harness)])
        let seqs = ["a", "c"].map { lastSeq($0, found.router) }
        #expect(seqs == [nil, 1])
    }

    @Test func `keeps no key for the app that has its producer's number by now`() throws {
        let harness = harness()
        let slot = try publisher(harness)
        push(harness, on: slot)
        harness.router.endRequest(slot, lines: 0, now: harness.now)
        harness.close(slot)
        _ = harness.step()
        harness.router.forget([0])
        _ = harness.connect(.publisher, "p", app: "news")
        let records = StateImage(harness.router).records
        let found = try salvaged(
            records,
            without: [page(.requestKeys), page(.requestQueues)],
            checkpoint: 1,
            journal: [taken(harness)]
        )
        for number in 1...3 as ClosedRange<UInt64> {
            let known = found.router.progress(of: Self.key(number))
            #expect(known == nil)
        }
        #expect(found.lost[.requestKeys] == 3)
    }

    @Test func `takes the newer of two records that name a producer`() {
        var producers = SalvagedProducers()
        let name = Array("p".utf8)
        producers.insert(.init(app: 0, name: name, lastSeq: 9, epoch: 2), at: 3)
        producers.insert(.init(app: 0, name: name, lastSeq: 5, epoch: 1), at: 300)
        #expect(producers.find(name, of: 0) == 3 && producers.known.count == 1)
        producers.insert(.init(app: 0, name: name, lastSeq: 12, epoch: 3), at: 400)
        #expect(producers.find(name, of: 0) == 400 && producers.known.count == 1)
    }
}
