internal import ChangeDetection
internal import DataStructures

/// The fields that kinds name, and what widgets show of them.
struct FieldTable: ~Copyable {
    /// Of the fingerprints of field values.
    let seed: DecisionSeed
    var catalog: FieldCatalog
    var widgets = WidgetFields()
    /// Whether the app file that is being installed names other fields than the one before.
    var haveListsChanged = false

    init(seed: DecisionSeed, hashKey: HashKey) {
        self.seed = seed
        catalog = FieldCatalog(hashKey: hashKey)
    }
}
