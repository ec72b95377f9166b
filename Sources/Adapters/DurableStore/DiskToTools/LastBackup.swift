package import Basics
internal import CRocksDB
internal import Glibc
package import StoreFormat

/// When a store was last backed up: the modification time of a file beside it, whose content is the
/// path of the copy.
///
/// The file is beside the store, into whose folder a backup writes nothing. The router and the
/// command leave it at the same place.
package struct LastBackup: Sendable {
    private let store: StoreFolder

    /// The last backup of the store in a folder.
    package init(ofStore path: String) {
        let folder = StoreFolder(path: path)
        store = (try? folder.resolved()) ?? folder
    }

    /// The name of the file, in the folder that contains the store.
    private var name: String {
        let path = store.path
        return "\(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])"
            + ".last-backup"
    }

    /// Records that a whole copy has been made now, in this folder. Throws why the file cannot be
    /// written.
    package func record(copy: String) throws(StoreError) {
        let folder = store.parent
        try Array("\(copy)\n".utf8).withByteView { bytes throws(StoreError) in
            try folder.write(bytes, toFile: "\(name).new")
        }
        try folder.move("\(name).new", to: "\(folder.path)/\(name)")
    }

    /// When the store was last backed up, or else made: what came since then is in no backup. Nil
    /// if there is no store.
    package var date: WallTime? {
        Self.modification("\(store.parent.path)/\(name)")
            ?? Self.modification("\(store.path)/\(StoreName.description)")
    }

    private static func modification(_ path: String) -> WallTime? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        let time = status.st_mtim
        return WallTime(rawValue: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
