internal import StoreFormat

/// What a repair reads: the damaged store itself or, if its log is broken, a folder beside it in
/// which the same files have names, and of each broken log there is the part before the break.
///
/// RocksDB may refuse a broken log as a whole, also where it is told to pass over what is broken, or
/// read it for ever.
final class RepairSource {
    let view: StoreView
    /// What is wrong with the files of the log.
    let losses: [StoreError]
    private let salvage: SalvageFolder?

    /// - Parameter store: whose lock the caller holds.
    /// - Throws: what keeps it from being read at all.
    init(_ store: StoreFolder) throws(StoreError) {
        try WriteAheadLog.checkFileList(store)
        var losses: [StoreError] = []
        do throws(StoreError) { try store.refuseMissingLog() } catch { losses.append(error) }
        var salvage: SalvageFolder?
        do throws(StoreError) {
            if try WriteAheadLog.check(store) != nil { salvage = try SalvageFolder(of: store) }
        } catch {
            if error.code != .corrupt { throw error }
            losses.append(error)
            salvage = try SalvageFolder(of: store)
        }
        view = try StoreView(path: salvage?.folder.path ?? store.path, needsLog: false)
        do throws(StoreError) { try view.checkEnd() } catch { losses.append(error) }
        self.losses = losses
        self.salvage = salvage
    }
}

@available(*, unavailable)
extension RepairSource: Sendable {}

/// A folder with the files of a store that is there as long as this value.
private final class SalvageFolder {
    let folder: StoreFolder

    init(of store: StoreFolder) throws(StoreError) {
        folder = StoreFolder(path: store.path + ".salvage")
        if folder.isThere { try folder.remove() }
        try folder.make()
        let breaks = try WriteAheadLog.breaks(store)
        for name in try store.names() where name != "lost+found" {
            if let byte = breaks[name] {
                try store.copy(name, upTo: byte, into: folder)
            } else {
                try store.link(name, into: folder)
            }
        }
    }

    deinit { try? folder.remove() }
}
