import ArgumentParser
import CommandSupport
import DurableStore
import StoreFormat

/// `store create`: makes an empty store, for a router that refuses to make one itself.
struct CreateStore: ParsableCommand {
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

    func run() throws {
        try options.use("create") { folder in
            let description = try RocksStore.make(path: folder)
            printLine("\(folder): an empty store was made (\(description.identifier))")
        }
    }
}
