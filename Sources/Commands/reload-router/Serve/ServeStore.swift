import Basics
import CommandSupport
import DurableStore
import Glibc
import Logging
import Platform
import RouterCore
import RouterServer
import RouterStore
import StoreFormat

/// Opens the store of `serve`, and logs what was found.
struct ServeStore {
    /// An absolute path, so that the log says which folder it is.
    let folder: String
    let mustExist: Bool
    let durability: Durability

    init(folder: String, mustExist: Bool, durability: Durability) {
        self.mustExist = mustExist
        self.folder = folder.hasPrefix("/") ? folder : "\(Self.workingFolder)/\(folder)"
        self.durability = durability
    }

    private static var workingFolder: String {
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Opens the store, or makes one, and restores the router from it.
    func open(
        _ configuration: ServerConfiguration,
        secrets: RouterSecrets,
        logger: Logger
    ) throws -> StoredRouter {
        logger.notice("opening the store \(folder)")
        let wallBegin = WallTime.now
        let begin = ContinuousClock.now
        do throws(StoreError) {
            let stored = try StoredRouter(
                path: folder,
                mustExist: mustExist,
                limits: configuration.limits,
                durability: durability,
                secrets: secrets,
                tableBuffer: configuration.memory.tableBuffer
            )
            if stored.origin.store.description.madeAt >= wallBegin {
                logMaking(stored.origin, to: logger)
            }
            if let torn = stored.origin.store.tornEnd { warnOfTornEnd("\(torn)", to: logger) }
            let time = (ContinuousClock.now - begin) / .milliseconds(1)
            logger.notice(
                "store opened",
                metadata: metadata(stored.origin, milliseconds: Int64(time))
            )
            return stored
        } catch {
            throw StoreRefusal(error: error, folder: folder, mustExist: mustExist)
        }
    }

    /// Logs that an empty store was made, so that a mistyped folder is noticed now, and not when
    /// the state is missed.
    private func logMaking(_ origin: StoreOrigin, to logger: Logger) {
        logger.notice(
            "there was no store: an empty one was made",
            metadata: [
                "folder": "\(folder)", "identifier": "\(origin.store.description.identifier)",
            ]
        )
    }

    /// Warns that a torn end was cut off. Whether it was acknowledged is not known: a disk may have
    /// lost what it had reported as written.
    private func warnOfTornEnd(_ location: String, to logger: Logger) {
        logger.warning(
            """
            the end of the journal was incomplete and was cut off (\(location)); a write that was \
            interrupted leaves such an end, and so may damage: what it held is not known
            """
        )
    }

    private func metadata(_ origin: StoreOrigin, milliseconds: Int64) -> Logger.Metadata {
        [
            "folder": "\(folder)", "identifier": "\(origin.store.description.identifier)",
            "durability": "\(durability)", "checkpoint": "\(origin.checkpoint)",
            "devices": "\(origin.counts.devices)", "widgets": "\(origin.counts.widgets)",
            "replayed": "\(origin.journalRecordCount)",
            "journalBytes": "\(origin.journalByteCount)", "position": "\(origin.position)",
            "milliseconds": "\(milliseconds)",
        ]
    }
}

/// Why `serve` cannot use its store, and what an operator can do.
struct StoreRefusal: Error, CustomStringConvertible {
    let error: StoreError
    let folder: String
    let mustExist: Bool

    var description: String { "\(error); \(nextStep)" }

    private var nextStep: String {
        switch error.code {
        case .corrupt, .gap: "run \"reload-router store check --store \(folder)\""
        case .older:
            "use the version that wrote it, or move \(folder) away and begin an empty store: devices "
                + "register again, producers begin at lastSeq 0"
        case .newer: "use the newer version, or a backup from before the upgrade"
        case .partitions: "use the version that made it"
        case .locked: "or name another folder with --store"
        case .missing where mustExist:
            "check that its disk is mounted; if there never was a store, make an empty one: "
                + "\"reload-router store create --store \(folder)\""
        case .missing: "create the folder that is to contain it, or name another one with --store"
        case .replaced: "check the contents of \(folder)"
        case .unusable: "name another folder with --store, or let this user write there"
        case .full: "free space on the disk of \(folder)"
        case .io: "check the system's log for errors of the disk of \(folder)"
        }
    }
}

/// The error with which `serve` ends if accepted records could not be written to the store.
struct StoreLoss: Error, CustomStringConvertible {
    let records: UInt64

    var description: String {
        "the store could not keep \(counted(records, noun: "record")) of the journal; "
            + "clients send again what was not acknowledged"
    }
}
