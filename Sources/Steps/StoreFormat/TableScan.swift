/// Decides which records of the table belong to the newest sealed checkpoint, or to an older one
/// that is selected.
///
///     manifest 7 │ manifest 6 │ … │ record 3 of 8, of 5, of 2 │ record 4 of 7 …
///     sealed: 7     left over         left over, current, left over
///
/// It must see the keys in their order: manifests come first, the newest of them first. A manifest
/// is written last, so the checkpoint of the newest one is complete. Records that are newer belong
/// to a checkpoint that was interrupted; of the others, the newest of each number is current.
package struct TableScan {
    /// The selected checkpoint: the newest sealed one unless `init(of:)` named another; 0 if there
    /// is none, or before the first manifest was seen.
    package private(set) var epoch: UInt32 = 0
    /// The newest checkpoint that any record belongs to.
    package private(set) var newestEpoch: UInt32 = 0
    /// The key of the last record that belongs to the selected checkpoint.
    private var current: TableKey?

    /// Selects the newest sealed checkpoint.
    package init() {}

    /// Selects an older checkpoint, which must still be complete.
    package init(of epoch: UInt32) { self.epoch = epoch }

    /// Whether a record belongs to the selected checkpoint. If that is the newest sealed one, a
    /// record that does not belong to it is left over and can be deleted.
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
