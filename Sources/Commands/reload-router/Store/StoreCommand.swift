import ArgumentParser
import CommandSupport
import DurableStore
import StoreFormat

/// `store`: what an operator can do with a store, one subcommand for each.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Make, check, repair, measure, back up or print the store of a router.",
        discussion: """
            All except `create` and `repair` can be used while a router serves from the \
            store: they take no lock, write nothing into its folder, and read it as it is at one \
            moment.
            """,
        subcommands: [
            CreateStore.self, CheckStore.self, RepairStore.self, MeasureStore.self,
            BackUpStore.self, DumpStore.self,
        ]
    )
}

/// Which store a subcommand works on, named as for `serve`.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the store. (default: as of serve: RELOAD_ROUTER_STORE, the configuration "
                + "file, reload-router.store)",
            valueName: "folder"
        ),
        completion: .directory
    )
    var store: String?

    @Option(
        help: ArgumentHelp("Configuration file of serve.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var config: String?

    /// Runs a subcommand on the folder. Errors are printed, and end it with exit status 1.
    func use(_ name: String, body: (String) throws -> Void) throws {
        do {
            let settings = ServeSettings(
                flags: store.map { ["store": .text($0)] } ?? [:],
                file: try config.map { try ConfigurationFile.values(in: $0) }
            )
            guard let folder = try settings.storeFolder() else {
                throw SettingsProblem("store is none: there is no store on the disk")
            }
            try body(folder)
        } catch let error as StoreError {
            try refuse(name, because: "\(error)")
        } catch let error as SettingsProblem {
            try refuse(name, because: "\(error)")
        }
    }

    private func refuse(_ name: String, because message: String) throws {
        writeStandardError("reload-router store \(name): \(message)\n")
        throw ExitStatus.refused
    }
}

/// `store create`: makes an empty store, for a router that refuses to make one itself.
struct CreateStore: LongCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an empty store, for a router with --store-must-exist.",
        discussion: """
            Run it once, before the first start, as the user of the router, who then owns the \
            files. A folder that contains a store already is left unchanged.

            Exit status: 0 made, 1 not.
            """
    )

    @OptionGroup var options: StoreOptions

    var activity: String? { "creating the store" }

    func run() throws {
        try options.use("create") { folder in
            let description = try RocksStore.make(path: folder)
            printLine("\(folder): an empty store was made (\(description.identifier))")
        }
    }
}
