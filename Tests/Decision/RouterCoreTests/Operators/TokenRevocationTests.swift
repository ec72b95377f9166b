import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("The revocation of a device's tokens")
struct TokenRevocationTests {
    private let harness = RouterHarness()

    private func revoke(_ device: String, before date: WallTime) throws(ProtocolError) -> WallTime {
        try harness.router.revokeTokens(of: device, app: "game", before: date, now: harness.now)
            .date
    }

    private func date(_ device: String) -> WallTime? {
        harness.router.tokensRevokedBefore(device: device, app: "game")
    }

    @Test func `holds for this device of this app, and never goes back`() throws {
        #expect(date("d") == nil)
        #expect(try revoke("d", before: 5_000) == 5_000)
        #expect(try revoke("d", before: 4_000) == 5_000)
        #expect(try revoke("d", before: 6_000) == 6_000)
        #expect(date("d") == 6_000 && date("e") == nil)
        #expect(harness.router.tokensRevokedBefore(device: "d", app: "none") == nil)
        #expect(throws: ProtocolError.self) {
            _ = try harness.router.revokeTokens(of: "d", app: "none", before: 1, now: harness.now)
        }
        harness.checkInvariants()
    }

    @Test func `is in the journal, and outlives the device, the process and the app file`() throws {
        harness.keepJournal(.game)
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.character("w", "kit")])
        _ = harness.step()
        for device in ["a", "d", "c"] { _ = try revoke(device, before: 7_000) }
        let former = try harness.router.withdrawRevocation(
            of: "a",
            app: "game",
            now: harness.now
        )
        #expect(former == 7_000)
        try harness.router.forgetDevice("d", app: "game", now: harness.now)
        harness.install(AppCatalog(apps: []))
        harness.writeJournal()
        #expect(harness.replica?.difference(from: harness.router) == nil)
        #expect(date("a") == nil && date("d") == 7_000 && date("c") == 7_000)
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, StateImage(harness.router).records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        _ = try router.recover(from: store, checksAll: true)
        let restored = router.tokensRevokedBefore(device: "d", app: "game")
        #expect(restored == 7_000 && router.revocationCount == 2)
        try router.checkInvariants()
    }

    @Test func `is listed page by page`() throws {
        for number in 0..<5 { _ = try revoke("d-\(number)", before: 1_000) }
        var found: [String] = []
        var last: String?
        repeat {
            let page = try harness.router.revocations(of: "game", after: last, limit: 2)
            found += page.found.map(\.device)
            last = page.isWhole ? nil : page.found.last?.device
        } while last != nil
        #expect(found == (0..<5).map { "d-\($0)" })
        #expect(throws: ProtocolError.self) {
            _ = try harness.router.revocations(of: "game", after: "x", limit: 2)
        }
    }

    @Test func `is refused where there are too many, and a withdrawn one makes room`() throws {
        for number in 0..<TokenRevocations.appLimit { _ = try revoke("\(number)", before: 1) }
        do throws(ProtocolError) {
            _ = try revoke("one more", before: 1)
            Issue.record("it is not refused")
        } catch {
            #expect(error.code == .quotaExceeded)
        }
        #expect(try revoke("7", before: 2) == 2, "one that is there may change")
        _ = try harness.router.withdrawRevocation(of: "9", app: "game", now: harness.now)
        #expect(try revoke("one more", before: 1) == 1)
        harness.checkInvariants()
    }

    @Test func `is in dumps, and is kept where a store is repaired`() throws {
        harness.keepJournal(.game)
        _ = try revoke("d", before: 7_000)
        let journal = harness.router.journalBytes.array
        let records = StateImage(harness.router).records
        let key = TableKey(type: StateRecord.revocations.rawValue, number: 0, epoch: 1)
        let body = try #require(records[key])
        var dump = StateDump()
        var text = ""
        try body.withByteView { view throws(StoreError) in
            try dump.add(key, bytes: view) { text = String(decoding: $0.text, as: UTF8.self) }
        }
        try dump.finish { text = String(decoding: $0.text, as: UTF8.self) }
        #expect(text.contains(#""devices":[{"appNumber":0,"device":"d","before":7000}]"#))
        let line = try Dump.line { out in journal.withByteView { out.put(raw: $0) } }
        let entry = #"{"entry":"revoked","app":0,"device":"d","before":7000}"#
        #expect(String(decoding: line.text, as: UTF8.self).contains(entry))
        let catalog = TableKey(type: StateRecord.catalog.rawValue, number: 0, epoch: 1)
        var salvage = StateSalvage()
        for key in [catalog, key] {
            let body = try #require(records[key])
            body.withByteView { salvage.add(key, body: $0) }
        }
        let problems = salvage.problems
        #expect(problems == [])
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, [:], try salvage.bodies())
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        _ = try router.recover(from: store, checksAll: true)
        let kept = router.tokensRevokedBefore(device: "d", app: "game")
        #expect(kept == 7_000)
    }

    @Test func `is never lost in silence: a store without its record is damaged`() throws {
        _ = try revoke("d", before: 7_000)
        var records = StateImage(harness.router).records
        let key = TableKey(type: StateRecord.revocations.rawValue, number: 0, epoch: 1)
        records[key] = nil
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        let error = #expect(throws: StoreError.self) { _ = try router.recover(from: store) }
        #expect(error?.message.contains("revoked tokens") == true)
    }

    @Test func `of a damaged record is refused, or agrees with itself`() throws {
        harness.keepJournal(.game)
        for device in ["d", "e"] { _ = try revoke(device, before: 7_000) }
        let records = StateImage(harness.router).records
        let key = TableKey(type: StateRecord.revocations.rawValue, number: 0, epoch: 1)
        var generator = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 1...300 {
            var found = records
            found[key]![generator.below(found[key]!.count)] = UInt8(generator.below(256))
            let store = SimulatedStore()
            try RecoveryFuzzTests.fill(store, found, [])
            var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
            do throws(StoreError) {
                _ = try router.recover(from: store, checksAll: true)
            } catch {
                #expect(error.code == .corrupt)
                refused += 1
                continue
            }
            try router.checkInvariants()
        }
        #expect(refused > 50)
    }
}
