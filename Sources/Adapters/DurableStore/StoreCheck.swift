internal import DataStructures
package import StoreFormat

/// Reads a whole store and says what is wrong with it; a router may use it meanwhile.
///
/// Checked are the files, the checksum of every record of table and journal, and that behind the
/// newest checkpoint no record of the journal is missing or of another history.
package struct StoreCheck {
    /// No more are noted.
    package static let problemLimit = 1_000

    /// What is wrong, each with the key or the position.
    package private(set) var problems: [StoreError] = []
    package private(set) var facts: StoreFacts?
    /// The newest checkpoint.
    package private(set) var manifest: StoreManifest?
    package private(set) var tableRecordCount = 0
    /// Those of them that no sealed checkpoint has ended.
    package private(set) var unsealedRecordCount = 0
    /// Behind the checkpoint.
    package private(set) var journalRecordCount = 0
    /// The position of the last record of the journal, or of the checkpoint if none is behind it.
    package private(set) var lastPosition: UInt64 = 0

    /// What is not whole at the end of the log: a start cuts it off, unless a router is just
    /// writing there.
    package private(set) var tornEnd: TornEnd?
    /// Whether a manifest could not be read, so that nothing says where the journal must begin.
    private var hasLostManifest = false

    package var isWhole: Bool { problems.isEmpty }

    /// Checks the store in a folder.
    ///
    /// - Throws: what keeps it from being read at all: `missing`, `unusable` or `newer`.
    package init(path: String) throws(StoreError) {
        let view: StoreView
        do throws(StoreError) {
            view = try StoreView(path: path)
        } catch {
            if ![.corrupt, .gap, .io].contains(error.code) { throw error }
            self.init()
            note(error)
            return
        }
        self.init(view)
    }

    private init() {}

    init(_ view: StoreView) {
        facts = view.facts
        // A torn end is no problem: what is being appended just now looks like it.
        tornEnd = view.tornEnd
        for problem in view.problems { note(problem) }
        checkTable(view)
        checkJournal(view)
    }

    private mutating func note(_ error: StoreError) {
        if problems.count < Self.problemLimit { problems.append(error) }
    }

    private mutating func checkTable(_ view: StoreView) {
        do throws(StoreError) {
            try view.scan { key, value throws(StoreError) in
                tableRecordCount += 1
                checkRecord(key, value)
            }
        } catch {
            if !problems.contains(error) { note(error) }
            if manifest == nil { hasLostManifest = true }
        }
    }

    /// The manifests come first, the newest of them first, so it is known which checkpoint that is.
    private mutating func checkRecord(_ key: TableKey, _ value: ByteView) {
        do throws(StoreError) {
            _ = try TableRecord.body(value, key: key)
            if StoreManifest.isKey(key) && manifest == nil {
                manifest = try StoreManifest(key, value)
            }
            if key.epoch > manifest?.epoch ?? 0 { unsealedRecordCount += 1 }
        } catch {
            note(error)
            if StoreManifest.isKey(key) { hasLostManifest = true }
        }
    }

    private mutating func checkJournal(_ view: StoreView) {
        var chain = JournalChain(behind: manifest ?? .none)
        if hasLostManifest { chain = JournalChain(next: view.segments.first ?? 1, parent: nil) }
        do throws(StoreError) {
            try view.replay(from: chain.next) { group throws(StoreError) in
                followOn(&chain, group)
            }
        } catch {
            note(error)
        }
        lastPosition = chain.next - 1
    }

    /// Follows the chain; where it breaks, the break is noted, and it begins anew behind it.
    private mutating func followOn(_ chain: inout JournalChain, _ group: ByteView) {
        let before = chain.next
        do throws(StoreError) {
            try chain.follow(group)
            journalRecordCount += Int(chain.next - before)
        } catch {
            note(error)
            journalRecordCount += Int(chain.next - before)
            chain.skip(group)
        }
    }
}
