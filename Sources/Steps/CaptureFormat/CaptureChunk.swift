package import Basics
package import StoreFormat

/// The header of a chunk, a compressed run of records in a capture file.
///
///     0    checksum of all that follows, with the file header's as its seed     64 bits
///     8    "RRCK"                                                               32 bits
///     12   compression: 0 none, 1 zstd (RFC 8878)                   8 bits, then 24 that are 0
///     16   bytes as they are stored                                             32 bits
///     20   bytes of the records                                                 32 bits
///     24   records                                                 32 bits, then 32 that are 0
///     32   time of the first record, in µs since the recording began            64 bits
///     40   time of the last record                                              64 bits
///     48   the records, compressed
///
/// A chunk is kept or lost as a whole: the last one of a file may be cut off if its writer was
/// ended.
package struct CaptureChunk: Equatable, Sendable {
    /// How a chunk's records are compressed; the raw values are those in the header.
    package enum Compression: UInt8, Sendable {
        case none = 0
        case zstd = 1
    }

    /// The length of the header, in bytes; the compressed records follow it.
    package static var headerByteCount: Int { 48 }
    /// The bytes of records at which a chunk is closed.
    package static var usualByteCount: Int { 1 << 20 }
    /// The most bytes of records in a chunk; the longest record fits into an otherwise full one.
    package static var byteLimit: Int { CaptureRecords.bodyLimit + usualByteCount + 64 }
    /// The bytes "RRCK" as a little-endian number.
    static var magic: UInt32 { 0x4b43_5252 }

    /// How the records are compressed in the file.
    package var compression: Compression
    /// The bytes of the records as stored, compressed.
    package var storedByteCount: Int
    /// The bytes of the records before compression.
    package var byteCount: Int
    /// How many records the chunk has.
    package var recordCount: Int
    /// The time of the first record.
    package var firstTime: RecordedTime
    /// The time of the last record.
    package var lastTime: RecordedTime

    /// Makes a header from its fields.
    package init(
        _ compression: Compression,
        storedByteCount: Int,
        byteCount: Int,
        recordCount: Int,
        firstTime: RecordedTime,
        lastTime: RecordedTime
    ) {
        self.compression = compression
        self.storedByteCount = storedByteCount
        self.byteCount = byteCount
        self.recordCount = recordCount
        self.firstTime = firstTime
        self.lastTime = lastTime
    }

    /// Appends a whole chunk, header and compressed records, which are `storedByteCount` bytes;
    /// `file` is the checksum of the file's header.
    package func write(_ stored: ByteView, file: UInt64, to writer: inout StoreWriter) {
        precondition(stored.count == storedByteCount && byteCount <= Self.byteLimit)
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(Self.magic)
        writer.put(UInt32(compression.rawValue))
        writer.put(UInt32(storedByteCount))
        writer.put(UInt32(byteCount))
        writer.put(UInt32(recordCount))
        writer.put(0 as UInt32)
        writer.put(firstTime.rawValue)
        writer.put(lastTime.rawValue)
        writer.put(raw: stored)
        let sum = checksum(writer.bytes.slice(start + 8, to: writer.count), seed: file)
        writer.patch(sum, at: start)
    }

    /// Reads the header of a chunk; `isIntact` can check it only when the whole chunk is there.
    ///
    /// - Parameter bytes: at least `headerByteCount` bytes.
    /// - Throws: `corrupt`.
    package init(header bytes: ByteView) throws(CaptureError) {
        do throws(StoreError) {
            var reader = StoreReader(bytes)
            _ = try reader.read(UInt64.self)
            if try reader.read(UInt32.self) != Self.magic {
                throw reader.corrupt("no chunk begins here")
            }
            let number = try reader.read(UInt32.self)
            guard number <= UInt8.max, let compression = Compression(rawValue: UInt8(number)) else {
                throw reader.corrupt("compression \(number) is not known")
            }
            self.compression = compression
            storedByteCount = Int(try reader.read(UInt32.self))
            byteCount = Int(try reader.read(UInt32.self))
            recordCount = Int(try reader.read(UInt32.self))
            _ = try reader.read(UInt32.self)
            firstTime = RecordedTime(rawValue: try reader.read(UInt64.self))
            lastTime = RecordedTime(rawValue: try reader.read(UInt64.self))
            if byteCount > Self.byteLimit || storedByteCount > Self.byteLimit
                || recordCount > byteCount || lastTime < firstTime
                || lastTime > CaptureHeader.timeLimit
            {
                throw reader.corrupt("an impossible size or time")
            }
        } catch {
            throw CaptureError(.corrupt, message: "in a chunk's header: \(error.message)")
        }
    }

    /// Whether a chunk may begin at `offset`, by its magic number; at least 16 bytes must be
    /// available from there.
    package static func mayBegin(_ bytes: ByteView, at offset: Int) -> Bool {
        UInt32(truncatingIfNeeded: UInt64(littleEndian: bytes.word(at: offset + 8))) == magic
    }

    /// Whether a whole chunk, header included, matches its checksum.
    package static func isIntact(_ bytes: ByteView, file: UInt64) -> Bool {
        UInt64(littleEndian: bytes.word(at: 0))
            == checksum(bytes.slice(8, to: bytes.count), seed: file)
    }
}
