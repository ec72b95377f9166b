internal import Basics
internal import CRocksDB
internal import Glibc
internal import Platform
internal import StoreFormat

/// One segment of the journal: its open file, and how much of it is whole.
final class JournalSegment {
    /// The path of the file, relative to the store's folder.
    let name: String
    let header: SegmentHeader
    /// The checksum of the header.
    let headerChecksum: UInt64
    private let folder: StoreFolder
    private let descriptor: CInt
    /// The number of bytes of the file that are whole: the header and complete groups.
    var byteCount = SegmentHeader.byteCount
    /// The checksum of the last whole group; of the header if there is none.
    var tail: UInt64

    /// Takes ownership of an open descriptor.
    init(_ folder: StoreFolder, name: String, descriptor: CInt, header: SegmentHeader) {
        self.folder = folder
        self.name = name
        self.header = header
        self.descriptor = descriptor
        headerChecksum = header.checksum
        tail = headerChecksum
    }

    deinit { close(descriptor) }

    /// The number in each group's header by which groups of this segment are recognised.
    var mark: UInt32 { header.mark }

    /// The present size of the file in bytes; 0 if the system does not report it.
    var fileByteCount: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns a cursor over groups, the first of which must name `parent` as its predecessor's
    /// checksum, unless that is nil; `end` is where the file ends.
    func groups(from offset: Int, after parent: UInt64?, to end: Int) -> SegmentCursor {
        SegmentCursor(self, from: offset, after: parent, to: end)
    }

    /// A cursor over the whole groups.
    var wholeGroups: SegmentCursor {
        groups(from: SegmentHeader.byteCount, after: headerChecksum, to: byteCount)
    }

    /// Reads bytes of the file, and returns how many there were.
    @unsafe
    func read(
        into memory: UnsafeMutableRawPointer,
        count: Int,
        at offset: Int
    ) throws(StoreError) -> Int {
        let count = unsafe readAll(descriptor, into: memory, byteCount: count, at: offset)
        if count < 0 { throw folder.failure("cannot read", name: name) }
        return count
    }

    /// Whether what follows the whole groups, up to the end of the file, may be the beginning of
    /// the next one, whose first record has this position; false if it was written as something
    /// else, or was changed later. Throws `io` if the file cannot be read.
    func mayBeInterrupted(to end: Int, before position: UInt64) throws(StoreError) -> Bool {
        let count = end - byteCount
        // A longer one is never written.
        if count > JournalGroup.headerByteCount + JournalGroup.recordsLimit { return false }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        defer { unsafe memory.deallocate() }
        let found = unsafe try read(into: memory, count: count, at: byteCount)
        return JournalGroup.mayBeInterrupted(
            unsafe ByteView(base: UnsafeRawPointer(memory), count: found),
            link: JournalGroup.Link(mark: mark, parent: tail),
            position: position
        )
    }

    /// Searches for a group that begins at `start` or later, which shows that the bytes before it
    /// are not a torn end. Returns the group's offset and first position; nil if there is none.
    func findGroup(
        from start: Int,
        to end: Int
    ) throws(StoreError) -> (offset: Int, position: UInt64)? {
        let blockByteCount = 1 << 16
        let block = UnsafeMutableRawPointer.allocate(byteCount: blockByteCount, alignment: 16)
        defer { unsafe block.deallocate() }
        var offset = start
        while offset + JournalGroup.headerByteCount <= end {
            let count = unsafe try read(
                into: block,
                count: min(blockByteCount, end - offset),
                at: offset
            )
            let headerCount = count - JournalGroup.headerByteCount + 1
            if headerCount <= 0 { return nil }
            for index in 0..<headerCount {
                let found = unsafe block.loadUnaligned(
                    fromByteOffset: index + JournalGroup.markOffset,
                    as: UInt32.self
                )
                if UInt32(littleEndian: found) != mark { continue }
                var cursor = groups(from: offset + index, after: nil, to: end)
                if let group = try cursor.next() { return (offset + index, group.position) }
            }
            offset += headerCount
        }
        return nil
    }
}
