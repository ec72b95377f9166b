/// Tells which records of the table are those of the newest sealed checkpoint.
///
///     manifest 7 │ manifest 6 │ … │ record 3 of 8, of 5, of 2 │ record 4 of 7 …
///     sealed: 7     left over         left over, current, left over
///
/// Given the keys in their order: manifests come first, the newest of them first. A manifest is
/// written last, so the checkpoint of the newest one is whole; what is newer than it is of a
/// checkpoint that was interrupted, and of what is older the newest one of each number holds.
package struct TableScan {
    /// The newest sealed checkpoint; 0 if there is none, or no manifest was seen yet.
    package private(set) var epoch: UInt32 = 0
    /// The newest checkpoint that anything is of.
    package private(set) var newestEpoch: UInt32 = 0
    private var current: TableKey?

    package init() {}

    /// Of an older checkpoint, if it is still whole.
    package init(of epoch: UInt32) {
        self.epoch = epoch
    }

    /// Whether a record is of the newest sealed checkpoint; if not, it is left over and can go.
    package mutating func isCurrent(_ key: TableKey) -> Bool {
        newestEpoch = max(newestEpoch, key.epoch)
        if key.type == StoreManifest.type && epoch == 0 { epoch = key.epoch }
        if key.epoch > epoch { return false }
        if let current, current.type == key.type, current.number == key.number {
            return current.epoch == key.epoch
        }
        current = key
        return true
    }
}
