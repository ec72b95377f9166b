import ByteStorage
import DurableStore
import Glibc
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

    /// Appends the same pieces to a new store, one after the other: the engine's own group commit.
    ///
    /// - Returns: a window whose operations are bytes.
    func appendAgain(_ path: String) throws -> BenchWindow {
        let store = try RocksStore(path: path, createIfMissing: true)
        defer { store.close() }
        let cpu = processTime()
        let start = monotonicTime()
        for piece in pieces {
            try piece.bytes.withByteView { bytes throws(StoreError) in
                try store.append(bytes, from: piece.first, isSynced: true)
            }
        }
        return BenchWindow(
            operations: keptBytes,
            nanoseconds: monotonicTime() - start,
            cpuNanoseconds: processTime() - cpu
        )
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
        let start = monotonicTime()
        let isWritten = unsafe write(file, block, block.count) == block.count
        if !isWritten || fdatasync(file) != 0 { throw BenchFailure("\(path) cannot be written") }
        times.append(monotonicTime() - start)
    }
    return times
}

/// User and system time that this process has had, in ns.
func processTime() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
