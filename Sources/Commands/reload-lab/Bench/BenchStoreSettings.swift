import DurableStore

/// What a router under measurement is told of its store.
struct BenchStoreSettings {
    /// Nil: none.
    let folder: String?
    let durability: Durability
    /// As `serve` has it, if nil.
    let checkpointAfter: Int?

    static let memory = BenchStoreSettings(folder: nil)

    init(
        folder: String?,
        _ durability: Durability = .full,
        checkpointAfter: Int? = nil
    ) {
        self.folder = folder
        self.durability = durability
        self.checkpointAfter = checkpointAfter
    }

    var flags: [String] {
        var flags = ["--store", folder ?? "none", "--durability", durability.rawValue]
        if let checkpointAfter { flags += ["--checkpoint-after", "\(checkpointAfter)"] }
        return flags
    }
}
