internal import Basics
package import StoreFormat

/// Counts what records of the journal contain, by kind: what a repair has to leave out.
package struct JournalCounts {
    /// The number of records.
    package private(set) var records = 0
    /// The number of accepted pushes.
    package private(set) var pushes: UInt64 = 0
    /// The number of entries of each kind, by the name that `store dump` prints.
    package private(set) var entries: [String: Int] = [:]

    /// Makes counts of zero.
    package init() {}

    /// Counts a record; what cannot be read of it is left out.
    package mutating func add(_ record: JournalRecord) {
        records += 1
        var reader = InputReader(record.body)
        var isAtEnd = false
        while !isAtEnd {
            let isRead = try? reader.next { input in
                entries["\(input.tag)", default: 0] += 1
                switch input {
                case .batchEnded(.producer, _, let count): pushes += count
                case .pushesAccepted(_, let accepted): pushes += UInt64(accepted.count)
                default: break
                }
                return nil
            }
            isAtEnd = isRead != true
        }
    }
}
