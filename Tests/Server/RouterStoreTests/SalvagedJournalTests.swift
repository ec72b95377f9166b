import Basics
import RouterStore
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore
@testable import RouterCore

@Suite("A journal that is made of what is left of a store")
struct SalvagedJournalTests {
    @Test("may lack revocations if the end of the store's journal is lost")
    func lostEnd() throws {
        let folder = TestFolder()
        let path = folder.path(of: "store")
        try makeStore(path, recordCount: 3)
        let whole = try SalvagedJournal(try StoreView(path: path))
        #expect(!whole.lost.lacksRevocations && !whole.bodies.isEmpty)
        let log = try #require(TestFolder.files(path).first { $0.hasSuffix(".log") })
        let bytes = TestFolder.read("\(path)/\(log)")
        TestFolder.write(bytes.dropLast(9), to: "\(path)/\(log)")
        let cut = try SalvagedJournal(try StoreView(path: path))
        #expect(cut.lost.lacksRevocations && cut.bodies == whole.bodies)
    }

    /// Makes a store whose journal has an app file in each record.
    private func makeStore(_ path: String, recordCount: UInt64) throws {
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: RouterLimits(),
            seed: DecisionSeed(1),
            secrets: RouterSecrets(namesFrom: 0)
        )
        router.startJournal()
        router.install(AppCatalog(apps: []), source: Array(#"{"apps":[]}"#.utf8))
        let store = try RocksStore(path: path, createIfMissing: true)
        defer { store.close() }
        var parent: UInt64 = 0
        for position in 1...recordCount {
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            writer.put(raw: router.journalBytes)
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
            try writer.bytes.array.withByteView { records throws(StoreError) in
                try store.append(records, from: position, isSynced: true)
            }
        }
        #expect(try store.noteEnd())
        store.finishNote()
    }
}
