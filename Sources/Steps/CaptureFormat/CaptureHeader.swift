package import Basics
package import StoreFormat

/// The header of a capture file.
///
///     0    "RRCAPTUR"
///     8    version │ flags: 1 redacted            16 + 16 bits, then 32 that are 0
///     16   recording: its files share this number  64 bits
///     24   number of the file in it, from 1        32 bits, then 32 that are 0
///     32   when the recording began, in µs since 1970, signed
///     40   when the file begins, in µs since then
///     48   0                                       64 bits
///     56   checksum of all before it               64 bits
///
/// All numbers are little-endian.
package struct CaptureHeader: Equatable, Sendable {
    /// The length of the header, in bytes.
    package static var byteCount: Int { 64 }
    /// The format that this code writes; `read` refuses files of newer ones.
    ///
    /// Version 1 had no ATTACH, and the kinds to which a push is narrowed were a member of its
    /// payload; see `FormerKinds`.
    package static var version: UInt16 { 2 }
    /// The largest time; small enough that the sum of a few does not overflow.
    package static var timeLimit: RecordedTime { RecordedTime(rawValue: 1 << 60) }
    /// The dates that a recording may begin at: as far from 1970 as `timeLimit`.
    static var dateRange: ClosedRange<RecordedDate> {
        RecordedDate(rawValue: -(1 << 60))...RecordedDate(rawValue: 1 << 60)
    }
    /// The bytes "RRCAPTUR" as a little-endian number.
    static var magic: UInt64 { 0x5255_5450_4143_5252 }
    private static var redactedFlag: UInt16 { 1 }

    /// The number of the recording, which all its files share.
    package var recording: UInt64
    /// The file's number in the recording, counted from 1.
    package var number: UInt32
    /// When the recording began.
    package var startedAt: RecordedDate
    /// When the file begins.
    package var firstTime: RecordedTime
    /// Whether identifying values were replaced by hashes; see `CaptureRedaction`.
    package var isRedacted: Bool
    /// Whether the file was written in an older format, whose records are to be converted.
    package private(set) var isFormer = false

    /// Makes the header of a file; by default that of a recording's first one.
    package init(
        recording: UInt64,
        number: UInt32 = 1,
        startedAt: RecordedDate,
        firstTime: RecordedTime = .zero,
        isRedacted: Bool = false
    ) {
        self.recording = recording
        self.number = number
        self.startedAt = startedAt
        self.firstTime = firstTime
        self.isRedacted = isRedacted
    }

    /// Appends the header, and returns its checksum, with which those of the file's chunks are
    /// seeded.
    @discardableResult
    package func write(to writer: inout StoreWriter) -> UInt64 {
        let start = writer.count
        writer.put(Self.magic)
        writer.put(Self.version)
        writer.put(isRedacted ? Self.redactedFlag : 0)
        writer.put(0 as UInt32)
        writer.put(recording)
        writer.put(number)
        writer.put(0 as UInt32)
        writer.put(startedAt.rawValue)
        writer.put(firstTime.rawValue)
        writer.put(0 as UInt64)
        let sum = checksum(writer.bytes.slice(start, to: writer.count))
        writer.put(sum)
        return sum
    }

    /// Reads the header of a file, and returns it with its checksum.
    ///
    /// - Throws: `missing` if the file is not a capture; `newer`; `corrupt`.
    package static func read(
        _ bytes: ByteView
    ) throws(CaptureError) -> (header: CaptureHeader, checksum: UInt64) {
        guard bytes.count >= byteCount, bytes.word(at: 0).littleEndian == magic else {
            throw CaptureError(.missing, message: "it does not begin as a capture does")
        }
        do throws(StoreError) {
            return try read(checked: bytes.slice(0, to: byteCount))
        } catch {
            throw CaptureError(
                error.code == .newer ? .newer : .corrupt,
                message: "in the header: \(error.message)"
            )
        }
    }

    /// Reads a header of exactly `byteCount` bytes that begins as one does.
    private static func read(
        checked bytes: ByteView
    ) throws(StoreError) -> (header: CaptureHeader, checksum: UInt64) {
        var reader = StoreReader(bytes)
        _ = try reader.read(UInt64.self)
        let version = try reader.read(UInt16.self)
        let flags = try reader.read(UInt16.self)
        _ = try reader.read(UInt32.self)
        let recording = try reader.read(UInt64.self)
        let number = try reader.read(UInt32.self)
        _ = try reader.read(UInt32.self)
        let startedAt = RecordedDate(rawValue: try reader.read(Int64.self))
        let firstTime = RecordedTime(rawValue: try reader.read(UInt64.self))
        _ = try reader.read(UInt64.self)
        let sum = try reader.read(UInt64.self)
        if sum != StoreFormat.checksum(bytes.slice(0, to: byteCount - 8)) {
            throw reader.corrupt("the checksum does not match")
        }
        if version > Self.version {
            throw StoreError(.newer, message: "the capture is of format \(version)")
        }
        if !dateRange.contains(startedAt) || firstTime > timeLimit || number == 0 {
            throw reader.corrupt("an impossible time or number")
        }
        var header = CaptureHeader(
            recording: recording,
            number: number,
            startedAt: startedAt,
            firstTime: firstTime,
            isRedacted: flags & redactedFlag != 0
        )
        header.isFormer = version < Self.version
        return (header, sum)
    }
}
