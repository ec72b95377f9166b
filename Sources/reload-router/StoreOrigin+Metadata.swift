import DurableStore
import Logging
import RouterDurability

extension StoreOrigin {
    /// What the log says of a store that was opened.
    func metadata(_ folder: String) -> Logger.Metadata {
        [
            "folder": "\(folder)", "durability": "\(durability)", "checkpoint": "\(checkpoint)",
            "replayed": "\(journalRecordCount)", "bytes": "\(journalByteCount)",
            "position": "\(position)",
        ]
    }

    /// What the log warns of when the store was opened, if there was anything.
    ///
    /// With what durability the journal was written nobody knows any more.
    var warning: String? {
        guard let tornEnd = store.tornEnd else { return nil }
        return "the end of the journal was not whole and was cut off (\(tornEnd)); nothing of that "
            + "was acknowledged with --durability full"
    }
}
