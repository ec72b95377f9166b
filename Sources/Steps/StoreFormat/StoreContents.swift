package import Basics

/// The root of a store: which files belong to it, and how far the journal reaches at least.
///
///     0    checksum of all that follows                                       64 bits
///     8    "CONTENTS"                                                         64 bits
///     16   identifier of the store                                            128 bits
///     32   end: position of the journal's last record, checksum of its group  64 + 64 bits
///     48   segments: their number, and of each one the position of its first
///          record and the checksum of its header                              32, 64 + 64 bits
///          sealed table: number, 0 if there is none; position of its
///          manifest; the number of its files, and of each one name, size and
///          checksum                                                           64 + 64, 32, …
///          boot: identifier of the boot of the machine in which this was
///          written, 0 if it is not known                                      128 bits
///
/// It is the whole content of the file `CONTENTS`, which is always replaced as a whole. The journal
/// is on the disk up to `end` before this file is written, so a journal that ends earlier has lost
/// records.
package struct StoreContents: Equatable, Sendable {
    private static var magic: UInt64 { 0x5354_4e45_544e_4f43 }

    /// A segment of the journal that must exist.
    package struct Segment: Equatable, Sendable {
        /// The position of the first record.
        package let first: UInt64
        /// The checksum of the segment's header.
        package let checksum: UInt64

        /// Makes the entry of a segment whose first record has the position `first`.
        package init(first: UInt64, checksum: UInt64) {
            self.first = first
            self.checksum = checksum
        }
    }

    /// A file of the sealed table, which must exist with this size and checksum.
    package struct File: Equatable, Sendable {
        /// The name of the file in the table's folder.
        package let name: String
        /// The size of the file, in bytes.
        package let byteCount: UInt64
        /// The checksum of the file's bytes.
        package let checksum: UInt64

        /// Makes the entry of a file of the table.
        package init(name: String, byteCount: UInt64, checksum: UInt64) {
            self.name = name
            self.byteCount = byteCount
            self.checksum = checksum
        }
    }

    /// The table as the last seal left it, in a folder of its own.
    package struct SealedTable: Equatable, Sendable {
        /// The number of its folder; 0 if there is no table.
        package let number: UInt64
        /// The position of the last journal record that the newest checkpoint in it includes.
        package let position: UInt64
        /// The files of which the table consists.
        package let files: [File]

        /// Makes the entry of a sealed table in the folder `number`.
        package init(number: UInt64, position: UInt64, files: [File]) {
            self.number = number
            self.position = position
            self.files = files
        }

        /// No table: the state of a new store.
        package static var none: SealedTable { SealedTable(number: 0, position: 0, files: []) }
    }

    /// How far the journal reaches at least.
    package struct JournalEnd: Equatable, Sendable {
        /// The position of the last record.
        package let position: UInt64
        /// The checksum of the last record's group; 0 if the group does not exist any more.
        package let checksum: UInt64

        /// Makes the end of a journal whose last record has this position.
        package init(position: UInt64, checksum: UInt64) {
            self.position = position
            self.checksum = checksum
        }
    }

    /// The identifier of the store; it equals that of the file `STORE`.
    package var identifier: StoreDescription.Identifier
    /// How far the journal reaches at least.
    package var end: JournalEnd
    /// The segments of the journal, the oldest first.
    package var segments: [Segment]
    /// The sealed table that belongs to the store.
    package var table: SealedTable
    /// The boot of the machine in which this was written; nil if it is not known.
    ///
    /// What is appended later in the same boot has been cut off by no loss of power.
    package var boot: StoreDescription.Identifier?

    /// Makes the list of a store's files; `segments` are in order, the oldest first.
    package init(
        identifier: StoreDescription.Identifier,
        end: JournalEnd,
        segments: [Segment],
        table: SealedTable,
        boot: StoreDescription.Identifier? = nil
    ) {
        self.identifier = identifier
        self.end = end
        self.segments = segments
        self.table = table
        self.boot = boot
    }

    /// True if both name the same files, however far the journal reaches.
    package func namesFiles(of other: StoreContents) -> Bool {
        segments == other.segments && table == other.table
    }

    // MARK: - Its bytes

    /// Appends the content of the file.
    package func write(to writer: inout StoreWriter) {
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(Self.magic)
        identifier.write(to: &writer)
        writer.put(end.position)
        writer.put(end.checksum)
        writer.put(UInt32(segments.count))
        for segment in segments {
            writer.put(segment.first)
            writer.put(segment.checksum)
        }
        writer.put(table.number)
        writer.put(table.position)
        writer.put(UInt32(table.files.count))
        for file in table.files {
            writer.put(counted: file.name)
            writer.put(file.byteCount)
            writer.put(file.checksum)
        }
        (boot ?? .none).write(to: &writer)
        writer.patch(checksum(writer.bytes.slice(start + 8, to: writer.count)), at: start)
    }

    /// Reads the content of the file.
    ///
    /// - Throws: `corrupt`.
    package init(_ bytes: ByteView) throws(StoreError) {
        var reader = StoreReader(bytes)
        let sum = try reader.read(UInt64.self)
        if checksum(bytes.slice(8, to: bytes.count)) != sum {
            throw StoreError(
                .corrupt,
                message: "the list of the store's files has a wrong checksum"
            )
        }
        if try reader.read(UInt64.self) != Self.magic {
            throw reader.corrupt("not a list of files")
        }
        identifier = try StoreDescription.Identifier(reading: &reader)
        end = JournalEnd(
            position: try reader.read(UInt64.self),
            checksum: try reader.read(UInt64.self)
        )
        segments = []
        for _ in 0..<(try reader.read(UInt32.self)) {
            let first = try reader.read(UInt64.self)
            if first <= segments.last?.first ?? 0 { throw reader.corrupt("segments out of order") }
            segments.append(Segment(first: first, checksum: try reader.read(UInt64.self)))
        }
        if segments.isEmpty { throw reader.corrupt("no segment of the journal") }
        let (number, position) = (try reader.read(UInt64.self), try reader.read(UInt64.self))
        var files: [File] = []
        for _ in 0..<(try reader.read(UInt32.self)) {
            let name = try reader.readCounted().string
            if name.isEmpty || name.contains("/") || name == "." || name == ".." {
                throw reader.corrupt("an invalid name of a file")
            }
            files.append(
                File(
                    name: name,
                    byteCount: try reader.read(UInt64.self),
                    checksum: try reader.read(UInt64.self)
                )
            )
        }
        table = SealedTable(number: number, position: position, files: files)
        let found = try StoreDescription.Identifier(reading: &reader)
        boot = found == .none ? nil : found
        try reader.finish()
    }
}
