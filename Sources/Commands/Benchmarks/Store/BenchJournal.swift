import Basics
import CReferences
import DurableStore
import Glibc
import LoadReporting
import Platform
import StoreFormat

/// The bytes that a router has appended to its journal, as one piece for each append. A benchmark
/// writes them again with the engine alone.
struct BenchJournal {
    /// The number of bytes from which on no further piece is kept; later pieces are only counted.
    private static var keptByteCount: Int { 128 << 20 }

    /// The pieces that are kept, each with the position of its first record.
    private(set) var pieces: [(first: UInt64, bytes: [UInt8])] = []
    /// The number of appends, with those that are not kept.
    private(set) var appends = 0
    /// The number of bytes, with those that are not kept.
    private(set) var byteCount = 0
    private(set) var position: UInt64

    var keptBytes: Int { pieces.reduce(0) { $0 + $1.bytes.count } }

    /// Reads what was appended to a store's journal after a position; its router may be running.
    init(_ path: String, after position: UInt64) throws {
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
            }
            appends += 1
            byteCount += piece.count
            if let first, kept < Self.keptByteCount {
                kept += piece.count
                pieces.append((first, piece.array))
            }
        }
    }

    /// Writes the same bytes to a new RocksDB database, with one record for each push: each piece
    /// is cut into as many records as it had pushes, and they form one synced batch. The operations
    /// of the window are bytes.
    func putAgain(_ path: String, bytesPerPush: Double) throws -> BenchWindow {
        let store = unsafe reference_store_open(path)
        guard let store = unsafe store else { throw BenchFailure("\(path) cannot be created") }
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
        let cpu = Nanoseconds.processCPU
        let start = ExactTime.now
        try body()
        return BenchWindow(operations: keptBytes, time: .now - start, cpu: .processCPU - cpu)
    }
}

/// The windows in which the engine alone wrote the router's appends, with pushes as operations.
struct EngineWindows {
    /// The windows with one record for each push.
    private(set) var puts: [BenchWindow] = []
    /// Journal bytes per push, of each window.
    private var bytes: [Double] = []
    /// Appends per second, of each window.
    private var appends: [Double] = []

    /// Writes what the router appended for pushes again with the engine, in folders that are
    /// deleted afterwards.
    mutating func add(
        _ journal: BenchJournal,
        of pushes: BenchWindow,
        in folder: TemporaryFolder
    ) throws {
        let bytesPerPush = try Self.bytesPerPush(journal.byteCount, pushes: pushes.operations)
        bytes.append(bytesPerPush)
        appends.append(Double(journal.appends) * 1e9 / Double(max(1, pushes.time.rawValue)))
        var window = try journal.putAgain(folder("puts"), bytesPerPush: bytesPerPush)
        window.operations = Int(Double(window.operations) / bytesPerPush)
        puts.append(window)
        folder.delete("puts")
    }

    /// Returns the bytes of the journal for each push of a window; throws if there are none, as in
    /// a window that is short for a slow disk.
    static func bytesPerPush(_ byteCount: Int, pushes: Int) throws(BenchFailure) -> Double {
        if byteCount > 0 && pushes > 0 { return Double(byteCount) / Double(pushes) }
        throw BenchFailure(
            "\(pushes) pushes of a window have left \(byteCount) bytes in the journal; measure "
                + "longer windows with --seconds"
        )
    }

    func report(_ run: BenchRun) {
        run.add("engine.rate", of: [puts], as: \.rate, unit: "pushes/s")
        run.add("engine.cpu", of: [puts], as: \.cpu, unit: "ns/push")
        run.add("journal", value: median(bytes), unit: "bytes/push")
        run.add("appends", value: median(appends), unit: "appends/s")
    }
}
