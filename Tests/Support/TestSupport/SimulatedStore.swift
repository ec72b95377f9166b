package import Basics
package import StoreFormat

/// A store in memory, on a disk that loses what was not synced when the power goes.
package final class SimulatedStore: StoreEngine {
    /// What was appended together.
    private struct Append {
        var first: UInt64
        var records: [UInt8]
        var isSynced: Bool
    }

    /// The log's segments: what was appended since each began.
    private var segments: [(begin: UInt64, appends: [Append])] = [(1, [])]
    /// Records of the table that are durable, by the bytes of their keys.
    private var table: [[UInt8]: [UInt8]] = [:]
    /// Changes behind them, oldest first; nil deletes.
    private var unsealed: [(key: [UInt8], value: [UInt8]?)] = []
    /// Asked before each operation; what it returns is thrown.
    ///
    /// An append may be done all the same.
    package var failure: ((String) -> StoreError?)?
    /// Asked how many of so many unsealed changes are durable when the store is opened again.
    ///
    /// They are the first ones, as when files were written before one of them failed; none without
    /// it.
    package var durableCount: ((Int) -> Int)?
    private var needsReopening = false
    /// While it is set, the table cannot be used, and the log can.
    package var failingTable: StoreError?
    package private(set) var tableFailure: StoreError?

    package init() {}

    private func check(_ operation: String) throws(StoreError) {
        precondition(!needsReopening, "\(operation) after an error, without reopening")
        guard let error = failure?(operation) else { return }
        needsReopening = true
        throw error
    }

    // MARK: Log

    package func append(
        _ records: ByteView,
        from position: UInt64,
        isSynced: Bool
    ) throws(StoreError) {
        // The same once more, because nobody knew whether it was there.
        for segment in segments.indices {
            segments[segment].appends.removeAll { $0.first == position }
        }
        let append = Append(first: position, records: records.array, isSynced: isSynced)
        do throws(StoreError) {
            try check("append")
        } catch {
            // It may be there all the same; not synced.
            if failure?("append is lost") == nil {
                segments[segments.count - 1].appends.append(append)
                segments[segments.count - 1].appends[segments.last!.appends.count - 1].isSynced =
                    false
            }
            throw error
        }
        segments[segments.count - 1].appends.append(append)
        if isSynced { sync() }
    }

    /// Whoever syncs a file syncs all that was written to it before.
    private func sync() {
        for segment in segments.indices {
            for index in segments[segment].appends.indices {
                segments[segment].appends[index].isSynced = true
            }
        }
    }

    package func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try check("replay")
        sync()
        for segment in segments {
            for append in segment.appends {
                try append.records.withByteView { view throws(StoreError) in try body(view) }
            }
        }
    }

    package func rotate(before position: UInt64) throws(StoreError) {
        try check("rotate")
        if segments.last!.begin < position { segments.append((position, [])) }
    }

    package func cut(before position: UInt64) throws(StoreError) {
        try check("cut")
        while segments.count > 1 && segments[1].begin <= position { segments.removeFirst() }
    }

    // MARK: Table

    package func write(_ changes: borrowing TableChanges) throws(StoreError) {
        try checkTable()
        try check("write")
        try changes.forEachRecord { key, value in unsealed.append((key.array, value?.array)) }
    }

    /// Loses what is not sealed if the table fails.
    private func checkTable() throws(StoreError) {
        guard let failingTable else { return }
        tableFailure = failingTable
        unsealed = []
        throw failingTable
    }

    package func reopenTable() throws(StoreError) {
        if let failingTable { throw failingTable }
        tableFailure = nil
    }

    package var isTableBusy: Bool { false }

    package func beginSeal() throws(StoreError) {
        try checkTable()
        try check("beginSeal")
    }

    package func seal() throws(StoreError) {
        try checkTable()
        try check("seal")
        apply(unsealed.count)
    }

    private func apply(_ count: Int) {
        for change in unsealed.prefix(count) { table[change.key] = change.value }
        unsealed.removeFirst(count)
    }

    package func scan(
        _ body: (TableKey, ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        try check("scan")
        var all = table
        for change in unsealed { all[change.key] = change.value }
        for (key, value) in all.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let key = try key.withByteView { view throws(StoreError) in try TableKey(view) }
            try value.withByteView { view throws(StoreError) in try body(key, view) }
        }
    }

    // MARK: Life

    package func reopen() throws(StoreError) {
        needsReopening = false
        try check("reopen")
        apply(durableCount?(unsealed.count) ?? 0)
        unsealed = []
    }

    package var diskByteCount: UInt64 {
        UInt64(segments.reduce(0) { $0 + $1.appends.reduce(0) { $0 + $1.records.count } })
            + UInt64(table.values.reduce(0) { $0 + $1.count })
    }

    /// How many records the table has.
    package var recordCount: Int { table.count }

    /// How many pieces of the log there are.
    package var appendCount: Int { segments.reduce(0) { $0 + $1.appends.count } }

    /// The power goes: what was not synced is lost from some place on, of log and table each.
    package func losePower(_ random: inout SeededGenerator) {
        needsReopening = false
        var isLost = false
        for segment in segments.indices {
            segments[segment].appends.removeAll { append in
                if !append.isSynced && random.below(2) == 0 { isLost = true }
                return isLost
            }
        }
        apply(random.below(unsealed.count + 1))
        unsealed = []
    }
}
