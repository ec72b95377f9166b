import ArgumentParser
import Basics
import CommandSupport
import HTTPMessages

/// `devices`: removes a device from a running router.
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a device from a running router.",
        subcommands: [Remove.self]
    )
}

extension Devices {
    /// `devices remove`: removes a device with everything that is stored for it.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a device with everything that is stored for it.",
            discussion: """
                Its widgets with their configurations, push tokens, budgets, dates and waiting \
                reloads end at once, as deploy/security.md says in "Erasure". A device whose app \
                still runs registers again; deploy/security.md says how to keep it out.

                Exit status: 0 removed, 1 refused: nothing is stored for it, the app is unknown, or \
                the token is no operator's; 2 the server cannot be reached.
                """
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The app.")
        var app: String

        @Argument(help: "The device's id.")
        var device: String

        func run() throws {
            let (app, name) = (PercentEscapes.encode(app), PercentEscapes.encode(device))
            _ = try admin.ask("/v1/apps/\(app)/devices/\(name)", method: "DELETE")
            printLine("\(quotation(self.app)) \(quotation(device)) is removed")
        }
    }
}
