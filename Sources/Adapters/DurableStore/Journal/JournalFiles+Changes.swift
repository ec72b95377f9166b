internal import Basics
internal import CRocksDB
internal import Glibc
internal import StoreFormat

/// How the journal is changed; the caller must have locked the store.
extension JournalFiles {
    /// Opens the newest segment for writing, and makes its content durable, even if another process
    /// wrote it.
    func beginWriting() throws(StoreError) {
        try openForWriting(files[files.count - 1])
        if fdatasync(writing) != 0 {
            throw folder.failure("cannot sync", name: files[files.count - 1].name)
        }
        try folder.subfolder(StoreName.journal).sync()
    }

    private func openForWriting(_ segment: JournalSegment) throws(StoreError) {
        let descriptor = unsafe Glibc.open("\(folder.path)/\(segment.name)", O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw folder.failure("cannot open", name: segment.name) }
        if writing >= 0 { close(writing) }
        writing = descriptor
    }

    /// Cuts off a torn end, and deletes files that are no longer needed.
    func clear() throws(StoreError) {
        assert(writing >= 0, "the journal is not open for writing")
        let newest = files[files.count - 1]
        if newest.fileByteCount > newest.byteCount {
            if ftruncate(writing, newest.byteCount) != 0 {
                throw folder.failure("cannot truncate", name: newest.name)
            }
            if fsync(writing) != 0 { throw folder.failure("cannot sync", name: newest.name) }
        }
        for name in leftovers { try folder.remove(name) }
        leftovers = []
    }

    // MARK: Appending

    /// Writes a group after the journal's end, without moving the end: `append` does that. Returns
    /// the end of the segment with the group, in bytes, and the group's checksum.
    func put(
        _ records: ByteView,
        from position: UInt64
    ) throws(StoreError) -> (byteCount: Int, checksum: UInt64) {
        assert(writing >= 0, "the journal is not open for writing")
        let newest = files[files.count - 1]
        if position < newest.header.first || position > end.position &+ 1 {
            throw StoreError(
                .gap,
                message:
                    "journal record \(position) cannot be appended: the last one is \(end.position)"
            )
        }
        try checkFile(newest)
        header.clear()
        let link = JournalGroup.Link(mark: newest.mark, parent: newest.tail)
        let sum = JournalGroup.writeHeader(of: records, from: position, link: link, to: &header)
        try folder.write(header.bytes, to: writing, at: newest.byteCount, name: newest.name)
        let start = newest.byteCount + JournalGroup.headerByteCount
        try folder.write(records, to: writing, at: start, name: newest.name)
        return (start + records.count, sum)
    }

    /// Appends a group; it is durable when this returns if `isSynced`.
    func append(_ records: ByteView, from position: UInt64, isSynced: Bool) throws(StoreError) {
        let (byteCount, checksum) = try put(records, from: position)
        let newest = files[files.count - 1]
        if isSynced {
            if fdatasync(writing) != 0 { throw folder.failure("cannot sync", name: newest.name) }
        }
        isDirty = !isSynced
        newest.byteCount = byteCount
        newest.tail = checksum
        let last = JournalGroup.lastPosition(in: records) ?? position
        end = StoreContents.JournalEnd(position: last, checksum: checksum)
    }

    /// Checks that the file was neither changed nor deleted by anything else.
    private func checkFile(_ newest: JournalSegment) throws(StoreError) {
        var status = stat()
        if unsafe fstat(writing, &status) != 0 {
            throw folder.failure("cannot read the status of", name: newest.name)
        }
        if status.st_nlink > 0 && status.st_size == newest.byteCount { return }
        throw StoreError(
            .replaced,
            message: "another program changed the journal: \(folder.path)/\(newest.name) "
                + (status.st_nlink == 0
                    ? "is deleted"
                    : "has \(status.st_size) bytes and not \(newest.byteCount)")
        )
    }

    /// Makes everything that was appended durable.
    func sync() throws(StoreError) {
        if !isDirty { return }
        if fdatasync(writing) != 0 {
            throw folder.failure("cannot sync", name: files[files.count - 1].name)
        }
        isDirty = false
    }

    // MARK: Segments

    /// Creates the file of a segment that starts at the next record; `adopt` starts appending to
    /// it.
    ///
    /// In between the caller writes the segment into `CONTENTS`, so no record is ever appended to a
    /// segment that `CONTENTS` does not name.
    ///
    /// - Parameter position: the first record of the segment.
    /// - Returns: the segment's header.
    /// - Throws: `gap` if `position` does not follow the last record; `full` or `io`.
    func makeSegment(before position: UInt64) throws(StoreError) -> SegmentHeader {
        if position != end.position &+ 1 {
            throw StoreError(
                .gap,
                message:
                    "no segment can begin with record \(position): the last one is \(end.position)"
            )
        }
        try sync()
        let header = SegmentHeader(
            identifier: identifier,
            first: position,
            parent: files[files.count - 1].tail
        )
        try Self.make(header, in: folder)
        return header
    }

    /// Creates the file of an empty segment; it is durable when this returns.
    static func make(_ header: SegmentHeader, in folder: StoreFolder) throws(StoreError) {
        var writer = StoreWriter(capacity: SegmentHeader.byteCount)
        header.write(to: &writer)
        try folder.write(writer.bytes, toFile: StoreName.segment(header.first))
        try folder.subfolder(StoreName.journal).sync()
    }

    /// Starts appending to a segment that `makeSegment` has created.
    func adopt(_ header: SegmentHeader) throws(StoreError) {
        assert(header.first == end.position &+ 1, "the segment does not follow the last record")
        let name = StoreName.segment(header.first)
        let descriptor = unsafe Glibc.open("\(folder.path)/\(name)", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw folder.failure("cannot open", name: name) }
        let segment = JournalSegment(folder, name: name, descriptor: descriptor, header: header)
        try openForWriting(segment)
        files.append(segment)
    }

    /// The number of segments of which every record is before a position.
    func count(before position: UInt64) -> Int {
        zip(files, files.dropFirst()).prefix { $1.header.first <= position }.count
    }

    /// Deletes the files of the first segments, which `CONTENTS` no longer names.
    func removeFirst(_ count: Int) throws(StoreError) {
        assert(count < files.count, "the newest segment would be deleted")
        leftovers += files.prefix(count).map(\.name)
        files.removeFirst(count)
        try clear()
    }
}
