internal import Basics
package import StoreFormat

/// Reads a whole store and lists what is wrong with it; a router may use the store meanwhile.
///
/// It checks the files, the checksum of every record of table and journal, and that after the
/// newest checkpoint no record of the journal is missing or belongs to another history.
package struct StoreCheck {
    /// The most problems that are listed.
    package static let problemLimit = 1_000

    /// What is wrong, with the key or the position of each.
    package private(set) var problems: [StoreError] = []
    /// The store's identity; nil if that could not be read.
    package private(set) var description: StoreDescription?
    /// The manifest of the newest checkpoint; nil if there is none that can be read.
    package private(set) var manifest: StoreManifest?
    /// The number of records in the table.
    package private(set) var tableRecordCount = 0
    /// The number of those that are newer than the newest sealed checkpoint.
    package private(set) var unsealedRecordCount = 0
    /// The number of records of the journal after the checkpoint.
    package private(set) var journalRecordCount = 0
    /// The position of the journal's last record; the checkpoint's position if no record follows
    /// it.
    package private(set) var lastPosition: UInt64 = 0

    /// An incomplete group at the end of the journal; nil if there is none. Either a router is just
    /// writing it, or the next start of a router cuts it off.
    package private(set) var tornEnd: TornEnd?
    /// True if a manifest could not be read, so that it is unknown where the journal must begin.
    private var hasLostManifest = false

    /// Whether nothing is wrong with the store.
    package var isWhole: Bool { problems.isEmpty }

    /// Checks the store in a folder. Throws why the store cannot be read at all: `missing`,
    /// `unusable`, `older` or `newer`.
    package init(path: String) throws(StoreError) {
        let view: StoreView
        do throws(StoreError) {
            view = try StoreView(path: path)
        } catch {
            if ![.corrupt, .gap, .io].contains(error.code) { throw error }
            self.init()
            record(error)
            return
        }
        self.init(view)
    }

    private init() {}

    init(_ view: StoreView) {
        description = view.description
        // A torn end is no problem: a group that is being appended just now looks the same.
        tornEnd = view.tornEnd
        for problem in view.problems { record(problem) }
        checkTable(view)
        checkJournal(view)
    }

    private mutating func record(_ error: StoreError) {
        if problems.count < Self.problemLimit { problems.append(error) }
    }

    private mutating func checkTable(_ view: StoreView) {
        do throws(StoreError) {
            try view.scan { key, value throws(StoreError) in
                tableRecordCount += 1
                checkRecord(key, value: value)
            }
        } catch {
            if !problems.contains(error) { record(error) }
            if manifest == nil { hasLostManifest = true }
        }
    }

    /// Checks one record. The manifests come first, the newest of them first, so the newest
    /// checkpoint is known from then on.
    private mutating func checkRecord(_ key: TableKey, value: ByteView) {
        do throws(StoreError) {
            _ = try TableRecord.body(value, key: key)
            if StoreManifest.isKey(key) && manifest == nil {
                manifest = try StoreManifest(key, value: value)
            }
            if key.epoch > manifest?.epoch ?? 0 { unsealedRecordCount += 1 }
        } catch {
            record(error)
            if StoreManifest.isKey(key) { hasLostManifest = true }
        }
    }

    private mutating func checkJournal(_ view: StoreView) {
        var chain = JournalChain(after: manifest ?? .none)
        if hasLostManifest { chain = JournalChain(next: view.segments.first ?? 1, parent: nil) }
        do throws(StoreError) {
            try view.replay(from: chain.next) { group throws(StoreError) in
                continueChain(&chain, through: group)
            }
        } catch {
            record(error)
        }
        lastPosition = chain.next - 1
    }

    /// Follows the chain of records through a group. A break is listed as a problem, and the chain
    /// then continues with the next group.
    private mutating func continueChain(_ chain: inout JournalChain, through group: ByteView) {
        let before = chain.next
        do throws(StoreError) {
            try chain.follow(group)
            journalRecordCount += Int(chain.next - before)
        } catch {
            record(error)
            journalRecordCount += Int(chain.next - before)
            chain.skip(group)
        }
    }
}
