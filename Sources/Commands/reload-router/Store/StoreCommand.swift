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
        help: "Folder of the store. (default: as of serve: RELOAD_ROUTER_STORE, the configuration "
            + "file, reload-router.store)",
        of: "folder"
    )
    var store: String?

    @Option(help: "Configuration file of serve.", of: .file("json"))
    var config: String?

    /// The folder that a subcommand works on.
    func folder() throws -> String {
        let settings = ServeSettings(
            flags: store.map { ["store": .text($0)] } ?? [:],
            file: try config.map { try ConfigurationFile.values(in: $0) }
        )
        if let folder = try settings.storeFolder() { return folder }
        throw SettingsProblem("store is none: there is no store on the disk")
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
        let folder = try options.folder()
        let description = try RocksStore.make(path: folder)
        printLine("\(folder): an empty store was made (\(description.identifier))")
    }
}
