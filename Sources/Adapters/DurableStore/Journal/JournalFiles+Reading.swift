internal import Basics
internal import StoreFormat

/// How the groups of the journal are read, once its files were checked.
extension JournalFiles {
    /// Calls `body` for each group with records after `position` that can be read, also after
    /// damage.
    func visitGroups(
        after position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        for segment in files {
            let end = segment.fileByteCount
            var offset: Int? = SegmentHeader.byteCount
            while let start = offset, start < end {
                var cursor = segment.groups(from: start, after: nil, to: end)
                while let group = try cursor.next() {
                    if group.lastPosition > position { try body(group.records) }
                }
                offset = try segment.findGroup(from: cursor.offset, to: end)?.offset
            }
        }
    }

    /// Calls `body` for each group of records that were appended together, beginning with the one
    /// that contains `position` or follows it.
    func replay(
        from position: UInt64,
        body: (ByteView) throws(StoreError) -> Void
    ) throws(StoreError) {
        let first = files.lastIndex { $0.header.first <= position } ?? 0
        let ahead = ReadAhead { [self] ahead throws(StoreError) in
            for segment in files.dropFirst(first) {
                var cursor = segment.wholeGroups
                while let group = try cursor.next() {
                    if group.lastPosition < position { continue }
                    if !ahead.put(.empty, value: group.records) { return }
                }
                if cursor.offset < segment.byteCount {
                    throw .corrupt(
                        "\(folder.path)/\(segment.name) was changed by another program "
                            + "at byte \(cursor.offset)"
                    )
                }
            }
        }
        try ahead.forEachRecord { _, records throws(StoreError) in try body(records) }
    }
}
