internal import DataStructures
internal import StoreFormat

/// Looks through the files of RocksDB's write-ahead log before RocksDB does.
///
/// Whatever RocksDB 7.8 is told to do with a log that is not whole, it either refuses an end that a
/// power failure has torn, or it may drop whole records without a word: its reader trusts the
/// length in a header before it knows the checksum, and takes a length that points beyond the end
/// of the file, or a header of zeros, for the end. This reader tells the two apart by what follows:
/// a batch is begun only when the one before it is on the disk (with `--durability full`), so
/// behind a torn batch no other one begins.
///
///     file     blocks of 32,768 bytes; fewer than seven bytes at the end of one stay empty
///     record   0  checksum of what follows the length: CRC-32C, masked     32 bits
///              4  bytes of the payload                                     16 bits
///              6  type: 1 a whole batch, or 2 its first, 3 its next, 4 its last part
///              7  payload; that of a batch begins with its sequence number     64 bits
///
/// (db/log_format.h of RocksDB; the numbers are little-endian.) The last batch of all can be told
/// from a torn one by nobody if it is damaged later on, and counts as torn.
@safe
struct WriteAheadLog {
    static let blockByteCount = 32_768
    private static let headerByteCount = 7
    private static let sequenceByteCount = 8
    private static let recycledTypes: ClosedRange<UInt8> = 5...8

    private enum RecordType: UInt8 {
        case whole = 1
        case first = 2
        case next = 3
        case last = 4
    }

    /// What is known of a file.
    enum Verdict: Equatable {
        case whole
        /// From this byte on it holds a batch that was never finished, or nothing.
        case torn(at: Int)
        /// It is broken at one byte, and at the other a batch begins all the same.
        case broken(at: Int, before: Int)
    }

    private let crc = CRC32C()
    /// Where the block begins.
    private var start = 0
    /// Where the batch began of which a part, and not yet the last one, has been read.
    private var open: Int?
    /// Where the batch begins that is not whole.
    private var tornAt: Int?
    private var brokenAt = 0
    private var nextBatch: Int?
    private var batchCount = 0
    /// The last sequence number that counts.
    private let limit: UInt64
    /// What is known of the sequence number of the batch that was begun last, where it begins, and
    /// how many of its bytes are missing: the first part of a batch may be that short.
    private var sequence: UInt64 = 0
    private var batchAt = 0
    private var missingByteCount = 0
    /// Whether a batch beyond the limit has been met.
    private var isOver = false
    /// Whether RocksDB can read what is not whole: if it is to pass over it, it reads for ever a
    /// record of a type that only files have which are used again.
    private var isReadable = true

    private init(upTo limit: UInt64) {
        self.limit = limit
    }

    // MARK: A folder

    /// How often files that are growing are looked at before they count as broken.
    private static let tryLimit = 3

    /// Checks the files of a folder whose router may be writing.
    ///
    /// A batch that is being written looks like a torn one, and may be followed by a whole one a
    /// moment later; when that one is seen, the first one is whole too, so a second look tells.
    ///
    /// - Returns: the torn end, or what looks like one because it is being written.
    /// - Throws: `corrupt` with file and byte.
    @discardableResult
    static func checkGrowing(_ folder: StoreFolder) throws(StoreError) -> TornEnd? {
        for _ in 1..<tryLimit {
            do throws(StoreError) {
                try checkFileList(folder)
                return try check(folder)
            } catch {
                if error.code != .corrupt { throw error }
            }
        }
        try checkFileList(folder)
        return try check(folder)
    }

    /// Checks RocksDB's list of files (MANIFEST), which is written like its log: RocksDB itself may
    /// drop the rest of a list that is broken in the middle, and with it whole files.
    ///
    /// A torn end is none of the store's: what it would have said had not happened yet.
    ///
    /// - Throws: `corrupt` with file and byte.
    static func checkFileList(_ folder: StoreFolder) throws(StoreError) {
        guard let name = try folder.fileListName() else { return }
        guard let (verdict, _, _) = try check(folder, name) else {
            throw StoreError(
                .corrupt,
                "\(folder.path)/\(name), which CURRENT names, is missing"
            )
        }
        if case .broken(let byte, let next) = verdict {
            throw broken(folder, name, at: byte, before: "an entry follows at \(next)")
        }
    }

    private static func broken(
        _ folder: StoreFolder,
        _ name: String,
        at byte: Int,
        before next: String
    ) -> StoreError {
        StoreError(.corrupt, "\(folder.path)/\(name) is broken at byte \(byte); \(next)")
    }

    /// Checks the files of a folder; those that vanish meanwhile are needed no more.
    ///
    /// - Parameters:
    ///   - folder: of the store.
    ///   - sequence: a batch with a higher number counts as torn, whole or not.
    /// - Returns: where the end is torn, if it is.
    /// - Throws: `corrupt` with file and byte.
    static func check(
        _ folder: StoreFolder,
        upTo sequence: UInt64 = .max
    ) throws(StoreError) -> TornEnd? {
        var torn: TornEnd?
        for name in try folder.logNames() {
            guard let (verdict, batchCount, isReadable) = try check(folder, name, upTo: sequence)
            else { continue }
            if let torn, batchCount > 0 {
                throw broken(folder, torn.name, at: torn.offset, before: "\(name) follows")
            }
            switch verdict {
            case .whole: break
            case .torn(let byte):
                let count = Int(folder.byteCount(name) ?? 0)
                torn =
                    torn
                    ?? TornEnd(
                        name: name,
                        offset: byte,
                        byteCount: max(0, count - byte),
                        isReadable: isReadable
                    )
            case .broken(let byte, let next):
                throw broken(folder, name, at: byte, before: "a batch follows at \(next)")
            }
        }
        return torn
    }

    /// Up to which byte each file is whole that is not whole to its end.
    static func breaks(_ folder: StoreFolder) throws(StoreError) -> [String: Int] {
        var breaks: [String: Int] = [:]
        for name in try folder.logNames() {
            guard let (verdict, _, _) = try check(folder, name) else { continue }
            switch verdict {
            case .whole: break
            case .torn(let byte), .broken(let byte, _): breaks[name] = byte
            }
        }
        return breaks
    }

    /// Cuts off the torn end, if there is one: no batch of it was ever reported as durable.
    ///
    /// What is left is durable then, also if the process that wrote it ended before it was synced.
    /// The caller holds the lock of the folder.
    static func cut(_ torn: TornEnd?, _ folder: StoreFolder) throws(StoreError) {
        if let torn { try folder.truncate(torn.name, to: torn.offset) }
        for name in try folder.logNames() { try folder.sync(name) }
    }

    /// Checks one file.
    ///
    /// - Returns: the verdict, how many batches begin in it that count, and whether RocksDB can read
    ///   it to its end; nil if the file is not there.
    static func check(
        _ folder: StoreFolder,
        _ name: String,
        upTo sequence: UInt64 = .max
    ) throws(StoreError) -> (Verdict, Int, Bool)? {
        var log = WriteAheadLog(upTo: sequence)
        do throws(StoreError) {
            try folder.readBlocks(name, of: blockByteCount) { block throws(StoreError) in
                log.read(block)
                return log.nextBatch == nil && !log.isOver
            }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
        return (log.verdict, log.batchCount, log.isReadable)
    }

    private var verdict: Verdict {
        if let nextBatch { return .broken(at: brokenAt, before: nextBatch) }
        if let tornAt { return .torn(at: tornAt) }
        if let open { return .torn(at: open) }
        return .whole
    }

    // MARK: A block

    private mutating func read(_ block: ByteView) {
        var offset = 0
        var isSearching = false
        while offset + Self.headerByteCount <= block.count && nextBatch == nil && !isOver {
            if let end = take(block, at: offset, isSearching: isSearching) {
                offset = end
            } else {
                // Nothing says where the next record begins: it is looked for at every byte, until
                // the next block, which begins with one. RocksDB looks there as well.
                isSearching = true
                let isLookedAt = tornAt == nil || offset == 0
                if isLookedAt && Self.recycledTypes.contains(block[offset + 6]) {
                    isReadable = false
                }
                noteBreak(at: start + offset)
                offset += 1
            }
        }
        if block.count < Self.blockByteCount && offset < block.count && !isOver {
            noteBreak(at: start + offset)
        }
        start += block.count
    }

    /// Takes the record at this offset.
    ///
    /// - Returns: where it ends, or nil if there is none that may stand here.
    private mutating func take(_ block: ByteView, at offset: Int, isSearching: Bool) -> Int? {
        let byte = block[offset + 6]
        if byte == 0 { return nil }
        let type = RecordType(rawValue: byte)
        let isBeginning = type == .whole || type == .first
        if isSearching && !isBeginning { return nil }
        let end = offset + Self.headerByteCount + Int(littleEndian(block, offset + 4, 2))
        if end > block.count { return nil }
        let sum = UInt32(littleEndian(block, offset, 4))
        if crc.masked(block.slice(offset + 6, end)) != sum { return nil }

        if isBeginning {
            begin(at: start + offset)
            open = type == .first ? start + offset : nil
        } else if type != nil && tornAt == nil {
            if open == nil { return nil }
            if type == .last { open = nil }
        }
        if type != nil && limit < .max {
            readSequence(block.slice(offset + Self.headerByteCount, end))
        }
        return end
    }

    /// Reads what the payload has of the batch's sequence number; one beyond the limit ends the file.
    private mutating func readSequence(_ payload: ByteView) {
        if missingByteCount == 0 { return }
        let count = min(missingByteCount, payload.count)
        let shift = UInt64(8 * (Self.sequenceByteCount - missingByteCount))
        sequence |= littleEndian(payload, 0, count) << shift
        missingByteCount -= count
        if missingByteCount > 0 || sequence <= limit { return }
        isOver = true
        batchCount -= 1
        nextBatch = nil
        open = nil
        noteBreak(at: batchAt)
    }

    private mutating func begin(at place: Int) {
        if open != nil { noteBreak(at: place) }
        if tornAt != nil { nextBatch = place }
        (sequence, batchAt, missingByteCount) = (0, place, Self.sequenceByteCount)
        batchCount += 1
    }

    /// The batch that is open is not whole, or what stands here is none.
    private mutating func noteBreak(at place: Int) {
        if tornAt != nil { return }
        brokenAt = place
        tornAt = open ?? place
    }

    private func littleEndian(_ block: ByteView, _ offset: Int, _ byteCount: Int) -> UInt64 {
        (0..<byteCount).reduce(0) { $0 | UInt64(block[offset + $1]) << UInt64(8 * $1) }
    }
}

/// The end of the log if a batch there was never finished.
package struct TornEnd: Equatable, Sendable, CustomStringConvertible {
    /// The file.
    package let name: String
    /// Up to this byte it is whole.
    package let offset: Int
    /// What stands behind that.
    package let byteCount: Int
    /// Whether RocksDB can read it, and pass over it.
    let isReadable: Bool

    package var description: String { "\(name) from byte \(offset), \(byteCount) bytes" }
}
