internal import Basics
internal import Glibc
internal import Logging
internal import Platform
internal import StoreFormat

/// The minutes of a router's history, its marks, and the minutes of single apps and kinds, in a
/// file beside the store: so curves go back before a restart.
///
///     loop ─► waiting ─► thread ─► the next slot of a ring, which is used again after a day
///
///     header │ minutes, 1,440 │ marks, 64 │ apps and kinds by name, 64 │ minutes of each, 1,440
///
/// Nothing depends on it. A slot that is damaged is left out, and so is what the clock has dated
/// before it was set back; a file that is none of this format is written anew. It is not synced:
/// what a crash of the machine takes is missing in the curves.
final class HistoryFile: @unchecked Sendable {
    // Unchecked: `monitor` guards what changes.

    /// The most entries that wait for the disk, those of about three minutes; beyond it, new ones
    /// are dropped.
    private static var waitingLimit: Int { 3 * (AppCourses.subjectLimit + 16) }

    private static let header = HistorySlots(start: 0, wordCount: 2, count: 1)
    /// What the file is, and the version of its format.
    private static let headerWords: [UInt64] = [0x5252_4869_7374_6f72, HistorySlots.version]
    private static let minutes = header.next(
        wordCount: HistoryPoint.wordCount,
        count: HistoryResolution.minute.capacity
    )
    private static let marks = minutes.next(wordCount: 2, count: MetricHistory.markLimit)
    /// The names by place.
    private static let names = marks.next(
        wordCount: CourseSubject.wordCount,
        count: AppCourses.subjectLimit
    )
    /// The minutes of the subject at each place, each with the code of its name.
    private static let courses = {
        var slots: [HistorySlots] = []
        for _ in 0..<AppCourses.subjectLimit {
            slots.append(
                (slots.last ?? names).next(
                    wordCount: CoursePoint.wordCount + 1,
                    count: HistoryResolution.minute.capacity
                )
            )
        }
        return slots
    }()

    private enum Entry {
        case minute(HistoryPoint)
        case mark(HistoryMark)
        case course(place: Int, CourseSubject, CoursePoint)
    }

    /// What is kept of an app or a kind.
    struct KeptCourse {
        let place: Int
        let subject: CourseSubject
        var points: [CoursePoint] = []
    }

    /// What the file had when it was opened, in the order in which it was written.
    struct Contents {
        var minutes: [HistoryPoint] = []
        var marks: [HistoryMark] = []
        var courses: [KeptCourse] = []
    }

    /// Returned by `takeContents`.
    private var contents = Contents()

    private let path: String
    private let logger: Logger
    private let monitor = Monitor()
    private var waiting: [Entry] = []
    private var isEnding = false
    private var thread: JoinableThread?
    // Of the thread alone.
    private var lastNumber: UInt64 = 0
    private var nextMinute = 0
    private var nextMark = 0
    private var nextOfCourses = [Int](repeating: 0, count: AppCourses.subjectLimit)
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

    /// Returns what the file had when it was opened, and keeps it no longer.
    func takeContents() -> Contents {
        defer { contents = Contents() }
        return contents
    }

    func keep(_ minute: HistoryPoint) { add(.minute(minute)) }

    func keep(_ mark: HistoryMark) { add(.mark(mark)) }

    func keep(_ point: CoursePoint, of subject: CourseSubject, at place: Int) {
        add(.course(place: place, subject, point))
    }

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
            var isWritten = write(Self.headerWords, to: 0, of: Self.header, in: file)
            for entry in entries where isWritten { isWritten = write(entry, in: file) }
            if !isWritten { problem = unsafe String(cString: strerror(errno)) }
        } catch {
            problem = error.reason
        }
        if isFailing == (problem != nil) { return }
        isFailing.toggle()
        if let problem { logFailure(problem) } else { logger.notice("the history is kept again") }
    }

    private func write(_ entry: Entry, in file: CInt) -> Bool {
        switch entry {
        case .minute(let point):
            defer { nextMinute = (nextMinute + 1) % Self.minutes.count }
            return write(point.words, to: nextMinute, of: Self.minutes, in: file)
        case .mark(let mark):
            defer { nextMark = (nextMark + 1) % Self.marks.count }
            return write(mark.words, to: nextMark, of: Self.marks, in: file)
        case .course(let place, let subject, let point):
            guard let words = subject.words else { return true }
            let slots = Self.courses[place]
            defer { nextOfCourses[place] = (nextOfCourses[place] + 1) % slots.count }
            return write(words, to: place, of: Self.names, in: file)
                && write(
                    point.words + [subject.code],
                    to: nextOfCourses[place],
                    of: slots,
                    in: file
                )
        }
    }

    private func write(
        _ words: [UInt64],
        to slot: Int,
        of slots: HistorySlots,
        in file: CInt
    ) -> Bool {
        lastNumber += 1
        return slots.write(words, number: lastNumber, to: slot, of: file)
    }

    // MARK: - At the start

    private func read(_ file: CInt) {
        var damaged = 0
        func entries(of slots: HistorySlots) -> [HistorySlots.Entry] {
            let found = slots.read(file)
            damaged += found.damagedCount
            lastNumber = max(lastNumber, found.entries.last?.number ?? 0)
            return found.entries
        }
        _ = entries(of: Self.header)
        let minutes = entries(of: Self.minutes)
        nextMinute = Self.slot(after: minutes, in: Self.minutes)
        contents.minutes = minutes.compactMap { HistoryPoint(words: $0.words) }
        let marks = entries(of: Self.marks)
        nextMark = Self.slot(after: marks, in: Self.marks)
        contents.marks = marks.compactMap { HistoryMark(words: $0.words) }
        for name in entries(of: Self.names) {
            guard let subject = CourseSubject(words: name.words) else { continue }
            let slots = Self.courses[name.slot]
            let points = entries(of: slots)
            nextOfCourses[name.slot] = Self.slot(after: points, in: slots)
            let own = points.filter { $0.words.last == subject.code }
            contents.courses.append(
                KeptCourse(
                    place: name.slot,
                    subject: subject,
                    points: own.compactMap { CoursePoint(words: $0.words.dropLast()) }
                )
            )
        }
        if damaged == 0 { return }
        if lastNumber == 0 {
            logDamage("it is no history of this version")
            ftruncate(file, 0)
        } else {
            logDamage("\(damaged) of its entries are damaged")
        }
    }

    /// The slot that is written next, after the last of the entries in the order of their writing.
    private static func slot(after entries: [HistorySlots.Entry], in slots: HistorySlots) -> Int {
        entries.last.map { ($0.slot + 1) % slots.count } ?? 0
    }

    private func logDamage(_ reason: String) {
        logger.warning(
            "the history has gaps: its file is damaged",
            metadata: ["path": "\(path)", "reason": "\(reason)"]
        )
    }
}

// MARK: - Entries as words

extension HistoryMark {
    fileprivate var words: [UInt64] {
        [1 + UInt64(event.rawValue), UInt64(bitPattern: date.rawValue)]
    }

    fileprivate init?(words: [UInt64]) {
        guard words[0] > 0, let raw = UInt8(exactly: words[0] - 1),
            let event = Event(rawValue: raw),
            let date = Int64(exactly: words[1])
        else { return nil }
        self.init(event, date: WallTime(rawValue: date))
    }
}

extension CourseSubject {
    private static var nameWords: Int { RouterLimits.identifierBytes / 8 }
    /// The number of words.
    fileprivate static var wordCount: Int { 2 + 2 * nameWords }

    /// The lengths of both names, that of the kind with 1 more or 0 for none, and the names; nil if
    /// one is longer than an identifier may be.
    fileprivate var words: [UInt64]? {
        let kind = self.kind ?? []
        if max(app.count, kind.count) > RouterLimits.identifierBytes { return nil }
        let lengths = [app.count, self.kind.map { $0.count + 1 } ?? 0].map { UInt64($0) }
        return lengths + Self.words(of: app) + Self.words(of: kind)
    }

    /// Reads what `words` has written; nil for words that are no names.
    fileprivate init?(words: [UInt64]) {
        let counts = words.prefix(2).compactMap { Int(exactly: $0) }
        guard words.count == Self.wordCount, counts.count == 2,
            (1...RouterLimits.identifierBytes).contains(counts[0]),
            (0...RouterLimits.identifierBytes + 1).contains(counts[1])
        else { return nil }
        let bytes = words.dropFirst(2).flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        let kind = bytes.dropFirst(RouterLimits.identifierBytes)
        self.init(
            app: Array(bytes.prefix(counts[0])),
            kind: counts[1] == 0 ? nil : Array(kind.prefix(counts[1] - 1))
        )
    }

    /// What a minute has in place of the names: the one before at its place had another one.
    fileprivate var code: UInt64 {
        (app + [0] + (kind ?? [0])).withByteView { stableHash($0, seed: HistorySlots.version) }
    }

    private static func words(of name: [UInt8]) -> [UInt64] {
        (0..<nameWords).map { index in
            (0..<8).reduce(UInt64(0)) { word, byte in
                let at = 8 * index + byte
                return at < name.count ? word | UInt64(name[at]) << UInt64(8 * byte) : word
            }
        }
    }
}
