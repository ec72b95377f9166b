internal import Basics
internal import Platform
package import StoreFormat

/// The open files of a store: its table, its journal, and the list of the files of both.
///
/// `RocksStore` drops all of them when it closes the store, and opens new ones in `reopen`.
final class StoreParts {
    /// The table; nil while it is not open.
    var database: RocksDatabase?
    let journal: JournalFiles
    /// What the file `CONTENTS` in the folder says.
    var contents: StoreContents

    init(_ journal: JournalFiles, contents: StoreContents) {
        self.journal = journal
        self.contents = contents
    }
}

extension StoreFiles {
    /// Opens the files for writing, in a folder that the caller has locked and on a disk that must
    /// have space for `byteCount` bytes besides the opening itself, and makes durable what another
    /// process may have written. The table is not opened. Throws what is wrong with the store, or
    /// the disk.
    func open(
        _ folder: StoreFolder,
        withSpaceFor byteCount: Int = 0
    ) throws(StoreError) -> StoreParts {
        if let problem = journal.problems.first { throw problem }
        try folder.requireSpace(byteCount)
        try journal.beginWriting()
        try folder.sync()
        return StoreParts(journal, contents: contents)
    }
}

extension StoreFolder {
    /// Creates an empty store in this folder, whose journal starts after the record `position`:
    /// that of a copy leaves out the records up to the copied checkpoint.
    ///
    /// `CONTENTS` is written last, because a folder without it counts as no store. So files that an
    /// interrupted call has left are simply overwritten. Throws what is wrong with the disk.
    func makeStore(
        _ description: StoreDescription,
        after position: UInt64,
        boot: StoreDescription.Identifier?
    ) throws(StoreError) {
        try restrictAccess()
        try subfolder(StoreName.journal).removeAll()
        try subfolder(StoreName.journal).make(mode: 0o755)
        var writer = StoreWriter(capacity: 64)
        description.write(to: &writer)
        try write(writer.bytes, toFile: StoreName.description)
        try write(writer.bytes, toFile: StoreName.descriptionCopy)
        let header = SegmentHeader(
            identifier: description.identifier,
            first: position + 1,
            parent: 0
        )
        try JournalFiles.make(header, in: self)
        try sync()
        try write(
            StoreContents(
                identifier: description.identifier,
                end: .init(position: position, checksum: 0),
                segments: [.init(first: header.first, checksum: header.checksum)],
                table: .none,
                boot: boot
            )
        )
    }

    /// Replaces `CONTENTS` atomically and durably.
    func write(_ contents: StoreContents) throws(StoreError) {
        var writer = StoreWriter()
        contents.write(to: &writer)
        try replace(StoreName.contents, with: writer.bytes)
    }

    /// Replaces `STORE` atomically and durably, which only an upgrade of the format does, or its
    /// copy.
    func write(_ description: StoreDescription, to name: String) throws(StoreError) {
        var writer = StoreWriter()
        description.write(to: &writer)
        try replace(name, with: writer.bytes)
    }

    private func replace(_ name: String, with bytes: ByteView) throws(StoreError) {
        try write(bytes, toFile: name + StoreName.next)
        try move(name + StoreName.next, to: "\(path)/\(name)")
        try sync()
    }
}

extension RocksStore {
    /// Creates an empty store where there is none, and the last part of the path if it does not
    /// exist. Throws `unusable` if there is a store already; errors of `init`.
    package static func make(path: String) throws(StoreError) -> StoreDescription {
        let folder = StoreFolder(path: path)
        if folder.exists, try folder.hasStore() {
            throw .unusable("\(folder.path) already contains a store; nothing was changed")
        }
        let store = try RocksStore(path: path, createIfMissing: true)
        defer { store.close() }
        return store.description
    }
}
