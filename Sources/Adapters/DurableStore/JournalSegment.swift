internal import CRocksDB
internal import DataStructures
internal import Glibc
internal import StoreFormat

/// A segment of the journal as it lies in its file, which stays open.
@safe
final class JournalSegment {
    /// Of the file, from the store's folder on.
    let name: String
    let header: SegmentHeader
    /// Of the header.
    let headerChecksum: UInt64
    private let folder: StoreFolder
    private let descriptor: CInt
    /// How much of the file is whole groups.
    var byteCount = SegmentHeader.byteCount
    /// The checksum of its last group or, without one, of its header.
    var tail: UInt64

    /// Takes the descriptor of an open file.
    init(_ folder: StoreFolder, _ name: String, _ descriptor: CInt, _ header: SegmentHeader) {
        self.folder = folder
        self.name = name
        self.header = header
        self.descriptor = descriptor
        headerChecksum = header.checksum
        tail = headerChecksum
    }

    deinit { close(descriptor) }

    var mark: UInt32 { header.mark }

    var fileByteCount: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Goes through the groups.
    ///
    /// - Parameters:
    ///   - offset: where the first one begins.
    ///   - parent: the checksum of what stands before it; nil for any.
    ///   - end: where the file ends.
    /// - Returns: a cursor before the first one.
    func groups(from offset: Int, behind parent: UInt64?, to end: Int) -> SegmentCursor {
        SegmentCursor(self, from: offset, behind: parent, to: end)
    }

    var wholeGroups: SegmentCursor {
        groups(from: SegmentHeader.byteCount, behind: headerChecksum, to: byteCount)
    }

    @unsafe
    func read(
        into memory: UnsafeMutableRawPointer,
        _ count: Int,
        at offset: Int
    ) throws(StoreError) -> Int {
        let count = unsafe readFile(descriptor, into: memory, count, at: offset)
        if count < 0 { throw folder.failure("cannot read", name) }
        return count
    }

    /// Looks for a group that begins at this byte or later, and so is not part of a torn end.
    ///
    /// - Returns: where it begins, and its first position.
    func findGroup(
        from start: Int,
        to end: Int
    ) throws(StoreError) -> (offset: Int, position: UInt64)? {
        let blockByteCount = 1 << 16
        let block = UnsafeMutableRawPointer.allocate(byteCount: blockByteCount, alignment: 16)
        defer { unsafe block.deallocate() }
        var offset = start
        while offset + JournalGroup.headerByteCount <= end {
            let count = unsafe try read(into: block, min(blockByteCount, end - offset), at: offset)
            let headerCount = count - JournalGroup.headerByteCount + 1
            if headerCount <= 0 { return nil }
            for index in 0..<headerCount {
                let found = unsafe block.loadUnaligned(
                    fromByteOffset: index + JournalGroup.markOffset,
                    as: UInt32.self
                )
                if UInt32(littleEndian: found) != mark { continue }
                var cursor = groups(from: offset + index, behind: nil, to: end)
                if let group = try cursor.next() { return (offset + index, group.position) }
            }
            offset += headerCount
        }
        return nil
    }
}
