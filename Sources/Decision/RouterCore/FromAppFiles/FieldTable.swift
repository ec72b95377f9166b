internal import Basics
internal import ChangeDetection

/// The payload fields that kinds observe or inline, and the values that widgets have at them.
struct FieldTable: ~Copyable {
    /// The seed of the hashes of field values.
    let seed: DecisionSeed
    var catalog: FieldCatalog
    var widgets = WidgetFields()
    /// Whether the app file that is being installed declares other fields for a kind than before.
    var haveFieldsChanged = false

    init(seed: DecisionSeed, hashKey: HashKey) {
        self.seed = seed
        catalog = FieldCatalog(hashKey: hashKey)
    }
}
