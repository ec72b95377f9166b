internal import Basics
internal import Glibc
internal import Logging
internal import Platform
internal import StoreFormat

/// The minutes of a router's history, and its marks, in a file beside the store: so curves go back
/// before a restart.
///
///     loop ─► waiting ─► thread ─► the next slot, which is used again after a day
///
///     header │ slots of minutes, 1,440 │ slots of marks, 64         (192 bytes each)
///
/// Nothing depends on it. A slot has a checksum, and one that is damaged is left out; a file that
/// is none of this format is written anew. It is not synced: what a crash of the machine takes is
/// missing in the curves.
final class HistoryFile: @unchecked Sendable {
    // Unchecked: `monitor` guards what changes.

    /// The most minutes and marks that wait for the disk; beyond it, new ones are dropped.
    private static var waitingLimit: Int { 64 }
    private static var wordCount: Int { HistoryPoint.wordCount + 1 }
    private static var slotBytes: Int { 8 * wordCount }
    private static var minuteSlots: Int { HistoryResolution.minute.capacity }
    private static var slotCount: Int { 1 + minuteSlots + MetricHistory.markLimit }
    /// The first numbers of a file: what it is, and the version of its format.
    private static let header: [UInt64] = [0x5252_4869_7374_6f72, 1]

    private enum Entry {
        case minute(HistoryPoint)
        case mark(HistoryMark)

        var words: [UInt64] {
            switch self {
            case .minute(let point): point.words
            case .mark(let mark):
                [1 + UInt64(mark.event.rawValue), UInt64(bitPattern: mark.date.rawValue)]
            }
        }
    }

    /// What the file had when it was opened, in no order.
    private(set) var minutes: [HistoryPoint] = []
    private(set) var marks: [HistoryMark] = []

    private let path: String
    private let logger: Logger
    private let monitor = Monitor()
    private var waiting: [Entry] = []
    private var isEnding = false
    private var thread: JoinableThread?
    // Of the thread alone.
    private var nextMinute = 0
    private var nextMark = 0
    private var isFailing = false

    /// Opens the file of a store, or makes it; nil if there can be none, which the log says.
    init?(ofStore folder: String, logger: Logger) {
        path = "\(folder).history"
        self.logger = logger
        waiting.reserveCapacity(Self.waitingLimit)
        do throws(TrustedFileError) {
            let file = try open()
            defer { Glibc.close(file) }
            read(file)
        } catch {
            logFailure(error.reason)
            return nil
        }
        thread = JoinableThread(niceness: JoinableThread.besideTheLoop) { [self] in work() }
    }

    /// Opens the file, or makes it. It is open only while something is read or written: an open
    /// file would keep operators from making its file system read-only.
    private func open() throws(TrustedFileError) -> CInt {
        try TrustedFile.open(path, flags: O_RDWR | O_CREAT)
    }

    private func logFailure(_ reason: String) {
        logger.warning(
            "the history is not kept over a restart",
            metadata: ["path": "\(path)", "reason": "\(reason)"]
        )
    }

    // MARK: - The loop

    func keep(_ minute: HistoryPoint) { add(.minute(minute)) }

    func keep(_ mark: HistoryMark) { add(.mark(mark)) }

    /// Allocates nothing, and waits for no disk.
    private func add(_ entry: Entry) {
        monitor.locked {
            if waiting.count < Self.waitingLimit { waiting.append(entry) }
            monitor.wake()
        }
    }

    /// Writes what waits, and ends the thread.
    func close() {
        monitor.locked {
            isEnding = true
            monitor.wake()
        }
        thread?.join()
    }

    // MARK: - The thread

    private func work() {
        while true {
            let (entries, isLast) = monitor.locked {
                while waiting.isEmpty && !isEnding { monitor.wait() }
                defer { waiting.removeAll(keepingCapacity: true) }
                return (waiting.map(\.self), isEnding)
            }
            if !entries.isEmpty { write(entries) }
            if isLast { return }
        }
    }

    private func write(_ entries: [Entry]) {
        var problem: String?
        do throws(TrustedFileError) {
            let file = try open()
            defer { Glibc.close(file) }
            // The header too: an operator may have deleted the file.
            var isWritten = write(Self.header, to: 0, of: file)
            for entry in entries where isWritten {
                isWritten = write(entry.words, to: nextSlot(for: entry), of: file)
            }
            if !isWritten { problem = unsafe String(cString: strerror(errno)) }
        } catch {
            problem = error.reason
        }
        if isFailing == (problem != nil) { return }
        isFailing.toggle()
        if let problem { logFailure(problem) } else { logger.notice("the history is kept again") }
    }

    private func nextSlot(for entry: Entry) -> Int {
        switch entry {
        case .minute:
            defer { nextMinute = (nextMinute + 1) % Self.minuteSlots }
            return 1 + nextMinute
        case .mark:
            defer { nextMark = (nextMark + 1) % MetricHistory.markLimit }
            return 1 + Self.minuteSlots + nextMark
        }
    }

    /// Writes numbers into a slot, with their checksum.
    private func write(_ words: [UInt64], to slot: Int, of file: CInt) -> Bool {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.slotBytes)
        for index in 0..<Self.wordCount - 1 {
            let word = index < words.count ? words[index] : 0
            for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * byte))) }
        }
        let code = bytes.withByteView { checksum($0, seed: UInt64(slot)) }
        for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: code >> (8 * byte))) }
        return bytes.withByteView { writeAll($0, to: file, at: slot * Self.slotBytes) }
    }

    // MARK: - At the start

    private func read(_ file: CInt) {
        var bytes = [UInt8](repeating: 0, count: Self.slotCount * Self.slotBytes)
        let count = unsafe readAll(file, into: &bytes, byteCount: bytes.count, at: 0)
        let header = bytes.withByteView { Self.words(of: 0, in: $0) }
        if count <= 0 || header?.prefix(2).elementsEqual(Self.header) != true {
            if count > 0 { logDamage("it is no history of this version") }
            ftruncate(file, 0)
            _ = write(Self.header, to: 0, of: file)
            return
        }
        var damaged = 0
        var newest = (minute: WallTime.min, mark: WallTime.min)
        bytes.withByteView { bytes in
            for slot in 1..<Self.slotCount where !Self.isEmpty(slot, in: bytes) {
                guard let words = Self.words(of: slot, in: bytes) else {
                    damaged += 1
                    continue
                }
                if slot <= Self.minuteSlots, let minute = HistoryPoint(words: words) {
                    minutes.append(minute)
                    if minute.date > newest.minute {
                        newest.minute = minute.date
                        nextMinute = slot % Self.minuteSlots
                    }
                } else if slot > Self.minuteSlots, let mark = HistoryMark(words: words) {
                    marks.append(mark)
                    if mark.date >= newest.mark {
                        newest.mark = mark.date
                        nextMark = (slot - Self.minuteSlots) % MetricHistory.markLimit
                    }
                } else {
                    damaged += 1
                }
            }
        }
        if damaged > 0 { logDamage("\(damaged) of its entries are damaged") }
    }

    private func logDamage(_ reason: String) {
        logger.warning(
            "the history has gaps: its file is damaged",
            metadata: ["path": "\(path)", "reason": "\(reason)"]
        )
    }

    private static func isEmpty(_ slot: Int, in bytes: ByteView) -> Bool {
        (slot * slotBytes..<(slot + 1) * slotBytes).allSatisfy { bytes[$0] == 0 }
    }

    /// The numbers of a slot; nil if it is damaged.
    private static func words(of slot: Int, in bytes: ByteView) -> [UInt64]? {
        let slice = bytes.slice(slot * slotBytes, to: (slot + 1) * slotBytes)
        let words = (0..<wordCount).map { word in
            (0..<8).reduce(UInt64(0)) { $0 | UInt64(slice[8 * word + $1]) << UInt64(8 * $1) }
        }
        let code = checksum(slice.slice(0, to: slotBytes - 8), seed: UInt64(slot))
        return code == words.last ? Array(words.dropLast()) : nil
    }
}

extension HistoryMark {
    fileprivate init?(words: [UInt64]) {
        guard words[0] > 0, let raw = UInt8(exactly: words[0] - 1),
            let event = Event(rawValue: raw),
            let date = Int64(exactly: words[1])
        else { return nil }
        self.init(event, date: WallTime(rawValue: date))
    }
}
