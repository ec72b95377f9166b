internal import Basics
internal import Glibc
internal import Platform
internal import StoreFormat

/// The end of a journal whose last group is incomplete.
package struct TornEnd: Equatable, Sendable, CustomStringConvertible {
    /// The path of the file, relative to the store's folder.
    package let name: String
    /// The file is whole up to this byte.
    package let offset: Int
    /// The number of bytes after that.
    package let byteCount: Int

    /// The place and its length, for messages.
    package var description: String { "\(name) from byte \(offset), \(byteCount) bytes" }
}

/// The place where a journal ends.
struct JournalEnd: Equatable {
    /// The first position of the last segment.
    var segment: UInt64
    /// The number of bytes of that segment that are whole.
    var byteCount: Int
    /// The last record, and the checksum of its group; 0 for both if there is none.
    var end: StoreContents.JournalEnd
}

/// The segments of a store's journal, read and compared with what the file `CONTENTS` says.
///
///     named by CONTENTS     segment ─► segment ─► newest          each must be there and whole
///     not named             older: what a cut has not yet deleted
///                           newer and empty: what a rotation has begun
///
/// Only the end of the newest segment may be torn. A group is begun only after the one before it
/// was written, and with `--durability full` only after that is on the disk; so no group follows a
/// torn one. As long as the machine has not started again since `CONTENTS` was written, the end of
/// a process alone can have torn it: then the file is short, and nothing in it is wrong.
final class JournalFiles {
    let folder: StoreFolder
    let identifier: StoreDescription.Identifier
    /// The segments, oldest first.
    var files: [JournalSegment] = []
    /// What is wrong with the files; everything that is whole can still be read.
    private(set) var problems: [StoreError] = []
    /// An incomplete group at the end, as a crash may leave it; nil if there is none.
    private(set) var tornEnd: TornEnd?
    /// The highest position that the files mention, whether its record is whole or not.
    private(set) var lastKnownPosition: UInt64
    /// Files that are no longer needed; paths relative to the store's folder.
    var leftovers: [String] = []
    /// The last whole record.
    var end: StoreContents.JournalEnd
    /// True if appended records may not be on the disk yet.
    var isDirty = false
    /// True if the machine has not started again since `CONTENTS` was written.
    private let hasLostNoPower: Bool
    /// The position of the record after which a rotation has begun a segment. The journal up to
    /// that record was durable then, so it must still be there.
    private var rotatedAfter: UInt64 = 0
    /// The descriptor of the newest segment, open for writing; -1 if it is not.
    var writing: CInt = -1
    /// The buffer for the header of each group.
    var header = StoreWriter(capacity: JournalGroup.headerByteCount)

    /// Opens the journal's files and finds its end. Everything after `limit` counts as torn, whole
    /// or not; `hasLostNoPower` is true if the machine has not started again since `CONTENTS` was
    /// written. Throws why the files cannot be read; what is wrong with them goes to `problems`.
    init(
        _ folder: StoreFolder,
        contents: StoreContents,
        upTo limit: JournalEnd? = nil,
        hasLostNoPower: Bool = false
    ) throws(StoreError) {
        self.folder = folder
        self.hasLostNoPower = hasLostNoPower && limit == nil
        identifier = contents.identifier
        end = StoreContents.JournalEnd(position: contents.segments[0].first - 1, checksum: 0)
        lastKnownPosition = max(contents.end.position, contents.table.position)
        try open(contents)
        try check(contents, upTo: limit)
        if end.position < rotatedAfter {
            record(
                .gap,
                of: StoreName.segment(rotatedAfter + 1),
                what:
                    "was begun after record \(rotatedAfter), but the journal ends at \(end.position)"
            )
        }
        if !problems.isEmpty {
            try visitGroups(after: lastKnownPosition) { group in
                let last = JournalGroup.lastPosition(in: group) ?? 0
                lastKnownPosition = max(lastKnownPosition, last)
            }
        }
        lastKnownPosition = max(lastKnownPosition, rotatedAfter)
        if end.position < contents.table.position {
            record(
                .gap,
                message: "the table includes record \(contents.table.position) of the journal, "
                    + "which ends at \(end.position)"
            )
        }
    }

    deinit { if writing >= 0 { close(writing) } }

    /// The first positions of the segments, ascending.
    var segments: [UInt64] { files.map(\.header.first) }

    /// The size of the files, in bytes.
    var byteCount: UInt64 { files.reduce(0) { $0 + UInt64($1.fileByteCount) } }

    /// Where the journal ends now.
    var currentEnd: JournalEnd {
        let newest = files[files.count - 1]
        return JournalEnd(segment: newest.header.first, byteCount: newest.byteCount, end: end)
    }

    /// Adds a problem.
    private func record(_ code: StoreErrorCode, message sentence: String) {
        problems.append(StoreError(code, message: sentence))
    }

    /// Adds a problem of the file with a name.
    private func record(_ code: StoreErrorCode, of name: String, what: String) {
        record(code, message: "\(folder.path)/\(name) \(what)")
    }

    // MARK: Finding the files

    /// Opens every file of the journal, and checks that those named in `CONTENTS` exist.
    private func open(_ contents: StoreContents) throws(StoreError) {
        let journal = folder.subfolder(StoreName.journal)
        let names = journal.exists ? try journal.names() : []
        let checksums = Dictionary(
            uniqueKeysWithValues: contents.segments.map { ($0.first, $0.checksum) }
        )
        for name in names {
            guard let first = SegmentHeader.first(ofFile: name) else {
                record(.corrupt, message: "\(journal.path)/\(name) is not a file of the journal")
                continue
            }
            try open(first, named: checksums[first], among: contents.segments)
        }
        for segment in contents.segments
        where !names.contains(SegmentHeader.fileName(segment.first)) {
            record(.gap, of: StoreName.segment(segment.first), what: "is missing")
        }
        files.sort { $0.header.first < $1.header.first }
    }

    /// Opens the file whose name has this position; `checksum` is that of its header according to
    /// `CONTENTS`, and nil if `CONTENTS` does not name it. Throws `io`, or another error of the
    /// file system, if it cannot be read.
    private func open(
        _ first: UInt64,
        named checksum: UInt64?,
        among known: [StoreContents.Segment]
    ) throws(StoreError) {
        let name = StoreName.segment(first)
        let descriptor = unsafe Glibc.open("\(folder.path)/\(name)", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno != ENOENT { throw folder.failure("cannot open", name: name) }
            // A router has deleted it just now.
            if checksum != nil { record(.gap, of: name, what: "is missing") }
            return
        }
        guard let header = try readHeader(descriptor, name: name) else {
            close(descriptor)
            let isBegun = checksum == nil && first > known[known.count - 1].first
            if isBegun && folder.byteCount(name) ?? 0 <= UInt64(SegmentHeader.byteCount) {
                rotatedAfter = max(rotatedAfter, first - 1)
                return leftovers.append(name)
            }
            return record(
                .corrupt,
                of: name,
                what: "does not begin with the header of a journal file"
            )
        }
        let segment = JournalSegment(folder, name: name, descriptor: descriptor, header: header)
        if header.identifier != identifier {
            return record(.corrupt, of: name, what: "belongs to the store \(header.identifier)")
        }
        if let checksum {
            if header.first != first {
                record(
                    .corrupt,
                    of: name,
                    what: "is the file that begins with record \(header.first)"
                )
            } else if segment.headerChecksum != checksum {
                record(.corrupt, of: name, what: "is not the file that \(StoreName.contents) names")
            }
        } else if first < known[0].first {
            return leftovers.append(name)
        } else if segment.fileByteCount <= SegmentHeader.byteCount
            && first > known[known.count - 1].first
        {
            rotatedAfter = max(rotatedAfter, first - 1)
            return leftovers.append(name)
        } else {
            record(
                .corrupt,
                of: name,
                what: "contains records, but \(StoreName.contents) does not name it"
            )
        }
        files.append(segment)
    }

    /// Reads the header of a segment; nil if the file does not begin with one.
    private func readHeader(_ descriptor: CInt, name: String) throws(StoreError) -> SegmentHeader? {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: SegmentHeader.byteCount,
            alignment: 16
        )
        defer { unsafe memory.deallocate() }
        let count = unsafe readAll(
            descriptor,
            into: memory,
            byteCount: SegmentHeader.byteCount,
            at: 0
        )
        if count < 0 {
            let failure = folder.failure("cannot read", name: name)
            close(descriptor)
            throw failure
        }
        return SegmentHeader(unsafe ByteView(base: UnsafeRawPointer(memory), count: count))
    }

    // MARK: Checking the files

    /// Follows all groups, and compares their end with `CONTENTS`.
    private func check(_ contents: StoreContents, upTo limit: JournalEnd?) throws(StoreError) {
        var before: JournalSegment?
        var isEndMet = contents.end.position < contents.segments[0].first
        for (index, segment) in files.enumerated() {
            if let before, segment.header.parent != before.tail {
                record(
                    .gap,
                    of: segment.name,
                    what: "does not continue where \(folder.path)/\(before.name) ends with"
                )
            }
            // A router may be writing: what it appends from now on is ignored.
            let fileSize = segment.fileByteCount
            let isLimited = limit?.segment == segment.header.first
            let size = isLimited ? min(fileSize, limit!.byteCount) : fileSize
            try followGroups(of: segment, to: size, noted: contents.end, isEndMet: &isEndMet)
            if segment.byteCount < fileSize {
                try judgeBreak(
                    in: segment,
                    size: size,
                    fileSize: fileSize,
                    isNewest: index == files.count - 1
                )
            }
            before = segment
        }
        lastKnownPosition = max(lastKnownPosition, end.position)
        if end.position < contents.end.position {
            record(
                .gap,
                message: "the last router wrote up to record "
                    + "\(contents.end.position), but the journal ends at \(end.position)"
            )
        } else if !isEndMet {
            record(
                .corrupt,
                message:
                    "journal record \(contents.end.position) is not the one that the last router wrote"
            )
        }
    }

    /// Finds out how much of a segment is whole.
    private func followGroups(
        of segment: JournalSegment,
        to size: Int,
        noted: StoreContents.JournalEnd,
        isEndMet: inout Bool
    ) throws(StoreError) {
        let last = segment.header.first - 1
        if last > end.position { end = StoreContents.JournalEnd(position: last, checksum: 0) }
        lastKnownPosition = max(lastKnownPosition, last)
        var cursor = segment.groups(
            from: SegmentHeader.byteCount,
            after: segment.headerChecksum,
            to: size
        )
        while let group = try cursor.next() {
            end = StoreContents.JournalEnd(position: group.lastPosition, checksum: group.checksum)
            if end == noted { isEndMet = true }
            segment.tail = group.checksum
        }
        segment.byteCount = max(cursor.offset, SegmentHeader.byteCount)
    }

    /// Decides whether a segment has a torn end, which is normal after a crash, or is damaged.
    private func judgeBreak(
        in segment: JournalSegment,
        size: Int,
        fileSize: Int,
        isNewest: Bool
    ) throws(StoreError) {
        let offset = segment.byteCount
        assert(offset < fileSize, "the whole segment is intact")
        let location = "\(folder.path)/\(segment.name) is damaged at byte \(offset)"
        if let next = try segment.findGroup(from: offset, to: size) {
            lastKnownPosition = max(lastKnownPosition, next.position)
            return record(
                .corrupt,
                message: "\(location); records that were appended later follow at \(next.offset)"
            )
        }
        if !isNewest {
            return record(.corrupt, message: "\(location); another file follows")
        }
        if hasLostNoPower, try !segment.mayBeInterrupted(to: size, before: end.position &+ 1) {
            return record(
                .corrupt,
                message: "\(location): what follows is no group of records whose writing was "
                    + "interrupted, and the machine has not started again since"
            )
        }
        tornEnd = TornEnd(name: segment.name, offset: offset, byteCount: fileSize - offset)
    }
}
