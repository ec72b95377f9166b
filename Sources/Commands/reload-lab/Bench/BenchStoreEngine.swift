import CReferences
import DataStructures
import DurableStore
import Glibc
import Platform
import StoreFormat

/// What a router has appended to its journal, a piece for each append.
struct BenchJournal {
    /// Pieces of it beyond so many bytes are counted, and not kept.
    private static var keptByteCount: Int { 128 << 20 }

    private(set) var pieces: [(first: UInt64, bytes: [UInt8])] = []
    private(set) var appends = 0
    private(set) var records = 0
    private(set) var byteCount = 0
    /// The last record.
    private(set) var position: UInt64

    var keptBytes: Int { pieces.reduce(0) { $0 + $1.bytes.count } }

    /// Reads what has been appended behind a position to the store of a router that may run.
    init(_ path: String, behind position: UInt64) throws {
        self.position = position
        let view = try StoreView(path: path)
        var kept = 0
        try view.replay(from: position + 1) { (piece) throws(StoreError) in
            var reader = StoreReader(piece)
            var first: UInt64?
            while !reader.isAtEnd {
                let record = try JournalRecord.read(&reader)
                if first == nil { first = record.position }
                self.position = record.position
                records += 1
            }
            appends += 1
            byteCount += piece.count
            if let first, kept < Self.keptByteCount {
                kept += piece.count
                pieces.append((first, piece.array))
            }
        }
    }

    /// Appends the same pieces to a new store, one after the other.
    ///
    /// - Returns: a window whose operations are bytes.
    func appendAgain(_ path: String) throws -> BenchWindow {
        let position = pieces.first.map { $0.first - 1 } ?? 0
        let store = try RocksStore(path: path, createIfMissing: true, behind: position)
        defer { store.close() }
        return try measure {
            for piece in pieces {
                try piece.bytes.withByteView { bytes throws(StoreError) in
                    try store.append(bytes, from: piece.first, isSynced: true)
                }
            }
        }
    }

    /// Writes the same bytes to a new database of RocksDB, but with a record for each push: each
    /// piece is cut into as many as there were pushes in it, and they are one synced batch.
    ///
    /// - Returns: a window whose operations are bytes.
    func putAgain(_ path: String, bytesPerPush: Double) throws -> BenchWindow {
        let store = unsafe reference_store_open(path)
        guard let store = unsafe store else { throw BenchFailure("\(path) cannot be made") }
        defer { unsafe reference_store_close(store) }
        return try measure {
            var (position, end): (UInt64, Double) = (1, 0)
            for piece in pieces {
                end += Double(piece.bytes.count) / bytesPerPush
                let count = max(1, Int(end + 1) - Int(position))
                piece.bytes.withByteView { bytes in
                    for index in 0..<count {
                        let start = bytes.count * index / count
                        unsafe reference_store_put(
                            store,
                            position + UInt64(index),
                            bytes.address + start,
                            bytes.count * (index + 1) / count - start
                        )
                    }
                }
                position += UInt64(count)
                if unsafe reference_store_commit(store) != 0 {
                    throw BenchFailure("\(path) cannot be written")
                }
            }
        }
    }

    private func measure(_ body: () throws -> Void) throws -> BenchWindow {
        let cpu = processNanoseconds()
        let start = monotonicNanoseconds()
        try body()
        return BenchWindow(
            operations: keptBytes,
            nanoseconds: monotonicNanoseconds() - start,
            cpuNanoseconds: processNanoseconds() - cpu
        )
    }
}

/// What the engine alone needed for what the router had appended, in pushes.
struct BenchEngineWindows {
    /// With a record for each push.
    private(set) var puts = BenchWindows()
    /// With the router's pieces.
    private(set) var pieces = BenchWindows()
    private var bytes: [Double] = []
    private var appends: [Double] = []

    /// Lets the engine do all of it once more, in a folder that is gone afterwards.
    ///
    /// - Parameters:
    ///   - journal: what the router had appended.
    ///   - pushes: what had led to it.
    ///   - folder: where to do it.
    /// - Throws: `BenchFailure` or what the store says.
    mutating func add(
        _ journal: BenchJournal,
        of pushes: BenchWindow,
        _ folder: BenchFolder
    ) throws {
        let bytesPerPush = Double(journal.byteCount) / Double(max(1, pushes.operations))
        bytes.append(bytesPerPush)
        appends.append(Double(journal.appends) * 1e9 / Double(max(1, pushes.nanoseconds)))
        func inPushes(_ window: BenchWindow) -> BenchWindow {
            var window = window
            window.operations = Int(Double(window.operations) / bytesPerPush)
            return window
        }
        puts.add(inPushes(try journal.putAgain(folder("puts"), bytesPerPush: bytesPerPush)))
        folder.delete("puts")
        pieces.add(inPushes(try journal.appendAgain(folder("pieces"))))
        folder.delete("pieces")
    }

    func report(_ report: inout BenchReport) {
        for (name, windows) in [("engine", puts), ("engine.pieces", pieces)] {
            report.add("store.\(name).rate", windows.rate, "pushes/s")
            report.add("store.\(name).cpu", windows.cpu, "ns/push")
        }
        report.add("store.journal", median(bytes), "bytes/push")
        report.add("store.appends", median(appends), "appends/s")
    }
}

/// What the disk itself takes to bring 4 KB to where a loss of power leaves them, in ns, one by one.
func measureDisk(_ path: String, count: Int) throws -> [Int64] {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if file < 0 { throw BenchFailure("\(path) cannot be written") }
    defer {
        close(file)
        unsafe _ = unlink(path)
    }
    let block = [UInt8](repeating: 0x5a, count: 4_096)
    var times: [Int64] = []
    for _ in 0..<count {
        let start = monotonicNanoseconds()
        let isWritten = unsafe write(file, block, block.count) == block.count
        if !isWritten || fdatasync(file) != 0 { throw BenchFailure("\(path) cannot be written") }
        times.append(monotonicNanoseconds() - start)
    }
    return times
}
