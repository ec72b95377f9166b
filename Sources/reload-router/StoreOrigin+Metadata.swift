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
}
