import Basics
import CaptureFormat
import Glibc
import StoreFormat

@testable import CaptureFiles

/// A capture file of any bytes is refused with the place, or read; what is read can be written and
/// is the same then, and lines that are made of it give it again.
///
///     mode │ pieces: a character │ bytes, behind their number
///     R bytes as they are   C a chunk's records, with the right checksum   Z the same as zstd
final class CaptureFuzzing: FuzzTarget {
    private let file: CInt
    private let path: String
    private let decompressor = Decompressor()
    private let redaction = CaptureRedaction(key: (1, 2))
    private var lines = CaptureLineReader()
    private var scanner = CaptureLine.scanner()

    init() {
        // In memory, and without a name once it is open.
        var name = Array("/dev/shm/capture.XXXXXX".utf8CString)
        file = mkstemp(&name)
        require(file >= 0 && unlink(name) == 0, "no file in memory")
        path = "/proc/self/fd/\(file)"
    }

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        var writer = StoreWriter()
        if input.byte() == UInt8(ascii: "R") {
            writer.put(raw: input.rest)
        } else {
            let header = CaptureHeader(recording: 1, startedAt: RecordedDate(rawValue: 2))
            let checksum = header.write(to: &writer)
            while !input.isAtEnd { Self.put(&input, checksum, to: &writer) }
        }
        read(writer.bytes)
    }

    private static func put(_ input: inout FuzzInput, _ file: UInt64, to writer: inout StoreWriter)
    {
        let letter = input.byte()
        let bytes = input.counted()
        if letter == UInt8(ascii: "R") { return writer.put(raw: bytes) }
        // Right about itself, however its records are.
        let first = RecordedTime(rawValue: 5)
        var reader = CaptureRecordReader(bytes, firstTime: first)
        var (count, last) = (0, first)
        while let record = try? reader.next() { (count, last) = (count + 1, record.time) }
        let chunk = CaptureChunk(
            letter == UInt8(ascii: "Z") ? .zstd : .none,
            storedByteCount: bytes.count,
            byteCount: bytes.count,
            recordCount: count,
            firstTime: first,
            lastTime: last
        )
        chunk.write(bytes, file: file, to: &writer)
    }

    // MARK: - Reading

    private func read(_ bytes: ByteView) {
        require(ftruncate(file, 0) == 0, "cannot empty the file")
        require(pwrite(file, bytes.address, bytes.count, 0) == bytes.count, "cannot write the file")
        do throws(CaptureError) {
            let input = try CaptureInput(path: path)
            checkHeader(input.header)
            while let block = try input.next(decompressor, byteLimit: 1 << 20) { check(block) }
            require(
                (0...bytes.count).contains(input.cutOffByteCount),
                "cut off: \(input.cutOffByteCount)"
            )
        } catch {
            require(!error.message.isEmpty, "an error without a message")
        }
    }

    private func checkHeader(_ header: CaptureHeader) {
        var writer = StoreWriter()
        header.write(to: &writer)
        // What is written is of the present format, whatever was read.
        let present = CaptureHeader(
            recording: header.recording,
            number: header.number,
            startedAt: header.startedAt,
            firstTime: header.firstTime,
            isRedacted: header.isRedacted
        )
        let again = try? CaptureHeader.read(writer.bytes)
        require(again?.header == present, "the header is another one when it is read again")
        let line = CaptureLine.text(of: header)
        let read = line.withByteView { try? lines.header($0) }
        require(read == present, "the header's line is another header")
    }

    private func check(_ block: CaptureBlock) {
        var records = CaptureRecords()
        var sessions = CaptureSessions()
        var devices = CaptureDevices()
        var summary = CaptureSummary()
        do {
            _ = try block.each { record in
                records.put(record)
                sessions.take(record)
                devices.take(record, app: "a", session: Int(record.connection))
                summary.take(record)
                redaction.withRedacted(record) { require($0.time == record.time, "another time") }
                checkLine(record)
                return true
            }
        } catch {
            require(!"\(error)".isEmpty, "an error without a message")
        }
        require(devices.all.allSatisfy { !$0.frames.isEmpty }, "a device without frames")
        checkAgain(records, block)
    }

    /// What was read and is written again is read as the same.
    private func checkAgain(_ records: borrowing CaptureRecords, _ block: CaptureBlock) {
        var first = block.reader()
        var second = CaptureRecordReader(records.bytes, firstTime: records.firstTime)
        for _ in 0..<records.count {
            guard let one = try? first.next(), let other = try? second.next() else {
                fail("a record is missing when it is read again")
            }
            let isSame =
                one.time == other.time && one.connection == other.connection
                && one.kind == other.kind && one.flags == other.flags && one.seq == other.seq
                && one.body == other.body
            require(isSame, "a record is another one when it is read again")
        }
    }

    /// The line of a record becomes a record whose line is the same.
    private func checkLine(_ record: CaptureRecord) {
        let line = CaptureLine.text(of: record, using: &scanner)
        var again: [UInt8] = []
        line.withByteView { view in
            do throws(CaptureError) {
                try lines.record(view) { again = CaptureLine.text(of: $0, using: &scanner) }
            } catch {
                fail("\(view.string) is refused: \(error)")
            }
            require(again == line, "\(view.string) gives \(String(decoding: again, as: UTF8.self))")
        }
    }
}

/// Lines that others write for recordings: refused, or a record whose line gives it again.
final class CaptureLineFuzzing: FuzzTarget {
    private var lines = CaptureLineReader()
    private var scanner = CaptureLine.scanner()

    func run(_ input: ByteView) {
        input.withCopy(check)
    }

    private func check(_ text: ByteView) {
        if let header = try? lines.header(text) {
            let line = CaptureLine.text(of: header)
            let again = line.withByteView { try? lines.header($0) }
            require(again == header, "the header's line is another header")
        }
        var line: [UInt8]?
        do throws(CaptureError) {
            try lines.record(text) { line = CaptureLine.text(of: $0, using: &scanner) }
        } catch {
            require(!error.message.isEmpty, "an error without a message")
        }
        guard let line else { return }
        line.withByteView { view in
            var again: [UInt8] = []
            do throws(CaptureError) {
                try lines.record(view) { again = CaptureLine.text(of: $0, using: &scanner) }
            } catch {
                fail("\(view.string) is refused: \(error)")
            }
            require(again == line, "\(view.string) gives \(String(decoding: again, as: UTF8.self))")
        }
    }
}
