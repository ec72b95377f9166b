import DurableStore

/// The store of a router under measurement.
struct BenchStoreSettings {
    /// The path of the store; nil for a router without one.
    let folder: String?
    var durability = Durability.full
    /// Bytes of journal after which a checkpoint is written; nil for the default of `serve`.
    var checkpointAfter: Int?

    /// No store: everything is kept in memory.
    static let memory = BenchStoreSettings(folder: nil)

    /// A number of bytes after which no checkpoint is written in a benchmark.
    static let noCheckpoint = 1 << 40

    /// The flags of `serve` for these settings.
    var flags: [String] {
        var flags = ["--store", folder ?? "none", "--durability", durability.rawValue]
        if let checkpointAfter { flags += ["--checkpoint-after", "\(checkpointAfter)"] }
        return flags
    }
}
