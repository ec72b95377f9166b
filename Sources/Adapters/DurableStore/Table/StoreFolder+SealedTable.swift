internal import Basics
internal import Glibc
internal import StoreFormat

/// The files of a sealed table whose bytes had the right checksums when they were last read.
///
/// While the disk is full or fails, a store is opened again every second. Reading the whole table
/// each time would prolong the outage.
struct CheckedTable {
    struct File: Equatable {
        var version: FileVersion?
        var checksum: UInt64
    }

    /// The files by their paths.
    var files: [String: File] = [:]
}

/// The table as a seal left it, in `sealed-N`.
extension StoreFolder {
    private static let blockByteCount = 1 << 16

    /// Compares the files of a sealed table with what `CONTENTS` says. RocksDB, whose assertions
    /// end the process, must read no bytes that it has not written. Files that have not changed
    /// since an earlier check are not read again. Returns the files, all of which have the right
    /// checksum; throws `corrupt` with the file that is missing or has other bytes.
    func check(
        _ table: StoreContents.SealedTable,
        after earlier: CheckedTable? = nil
    ) throws(StoreError) -> CheckedTable {
        var found = CheckedTable()
        if table.number == 0 { return found }
        let sealed = subfolder(StoreName.sealed(table.number))
        if !sealed.exists { throw .corrupt("\(sealed.path) is missing") }
        let known = Set(table.files.map(\.name))
        for name in try sealed.names() where !known.contains(name) {
            throw .corrupt("\(sealed.path)/\(name) is not a file of the table")
        }
        for file in table.files {
            let location = "\(sealed.path)/\(file.name)"
            guard let size = sealed.byteCount(file.name) else {
                throw .corrupt("\(location) is missing")
            }
            if size != file.byteCount {
                throw .corrupt("\(location) has \(size) bytes and not \(file.byteCount)")
            }
            let version = FileVersion(path: location)
            let known = CheckedTable.File(version: version, checksum: file.checksum)
            if version == nil || earlier?.files[location] != known {
                if try sealed.checksum(of: file.name) != file.checksum {
                    throw .corrupt("\(location) has a wrong checksum")
                }
            }
            found.files[location] = known
        }
        return found
    }

    /// The checksum of a file: that of each block is seeded with the checksum of all bytes before
    /// it.
    func checksum(of name: String) throws(StoreError) -> UInt64 {
        var sum: UInt64 = 0
        try readBlocks(name, of: Self.blockByteCount) { block throws(StoreError) in
            sum = StoreFormat.checksum(block, seed: sum)
            return true
        }
        return sum
    }

    /// Makes the files of a newly sealed table durable, and returns them; the checksums of files
    /// that the table before it has, too, are known. Throws the disk's error.
    func files(
        ofSealed number: UInt64,
        after previous: StoreContents.SealedTable
    ) throws(StoreError) -> [StoreContents.File] {
        assert(number == previous.number + 1, "the sealed table is not the next one")
        let sealed = subfolder(StoreName.sealed(number))
        let before = subfolder(StoreName.sealed(previous.number))
        var files: [StoreContents.File] = []
        for name in try sealed.names() {
            let identity = FileIdentity(path: "\(sealed.path)/\(name)")
            if let known = previous.files.first(where: { $0.name == name }),
                identity != nil, identity == FileIdentity(path: "\(before.path)/\(name)")
            {
                files.append(known)
                continue
            }
            try sealed.sync(name)
            files.append(
                StoreContents.File(
                    name: name,
                    byteCount: sealed.byteCount(name) ?? 0,
                    checksum: try sealed.checksum(of: name)
                )
            )
        }
        try sealed.sync()
        try sync()
        return files
    }

    /// Creates RocksDB's own folder from a sealed table and opens it.
    ///
    /// Only the table's files (`.sst`) are linked, since RocksDB never changes these; the others
    /// are copied.
    func openTable(_ table: StoreContents.SealedTable) throws(StoreError) -> RocksDatabase {
        let working = subfolder(StoreName.table)
        try remove(StoreName.table)
        try working.make(mode: 0o755)
        let sealed = subfolder(StoreName.sealed(table.number))
        for file in table.files {
            if file.name.hasSuffix(".sst") {
                try sealed.link(file.name, into: working)
            } else {
                try sealed.copy(file.name, into: working)
            }
        }
        return try RocksDatabase(path: working.path, access: .readWrite, tableBuffer: tableBuffer)
    }
}
