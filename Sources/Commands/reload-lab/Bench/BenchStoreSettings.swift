import DurableStore

/// The store of a router under measurement.
struct BenchStoreSettings {
    /// The path of the store; nil for a router without one.
    let folder: String?
    let durability: Durability
    /// Bytes of journal after which a checkpoint is written; nil for the default of `serve`.
    let checkpointAfter: Int?

    /// No store: everything is kept in memory.
    static let memory = BenchStoreSettings(folder: nil)

    init(
        folder: String?,
        durability: Durability = .full,
        checkpointAfter: Int? = nil
    ) {
        self.folder = folder
        self.durability = durability
        self.checkpointAfter = checkpointAfter
    }

    /// The flags of `serve` for these settings.
    var flags: [String] {
        var flags = ["--store", folder ?? "none", "--durability", durability.rawValue]
        if let checkpointAfter { flags += ["--checkpoint-after", "\(checkpointAfter)"] }
        return flags
    }
}
