import ArgumentParser
import Basics
import CommandSupport
import HTTPMessages

/// `producers`: lists the producers that a running router remembers, and forgets one.
struct Producers: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List a running router's producers, or forget one.",
        subcommands: [List.self, Forget.self],
        defaultSubcommand: List.self
    )
}

extension Producers {
    /// `producers list`: prints all producers, page by page.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the producers whose last push is known.",
            discussion: """
                Prints one line per producer: app, producer, last sequence number, and either that \
                it is in use or how long it has been idle. The router forgets a producer that has \
                been idle for as long as its --producer-idle.

                Exit status: 0 listed, 1 the server refuses the token or does not know the app, 2 \
                the server cannot be reached.
                """
        )

        @OptionGroup var admin: AdminOptions

        @Option(help: "Only producers of this app.")
        var app: String?

        @Flag(help: "Print a JSON object for each producer.")
        var json = false

        func run() throws {
            let filter = app.map { "&app=\(PercentEscapes.encode($0))" } ?? ""
            try admin.forEachPage("/v1/producers?limit=1000\(filter)") { page in
                for producer in page["producers"].elements {
                    printLine(json ? producer.text : Self.line(producer))
                }
            }
        }

        private static func line(_ producer: JSONValue) -> String {
            let idle = Int64(producer["idleFor"].text).map { milliseconds in
                let seconds = milliseconds / 1_000
                let text = seconds < 60 ? "\(seconds) s" : FigureText.seconds(Double(seconds))
                return "idle for \(text)"
            }
            let names = "\(producer["app"].string ?? "") \(producer["producer"].string ?? "")"
            return "\(names)  lastSeq \(producer["lastSeq"].text)  \(idle ?? "in use")"
        }
    }

    /// `producers forget`: makes the router forget an idle producer.
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a producer that is not in use, and the number of its last push.",
            discussion: """
                A producer that returns starts again: WELCOME has lastSeq 0, and any number is \
                accepted.

                Exit status: 0 forgotten, 1 refused: it is in use or unknown; 2 the server cannot \
                be reached.
                """
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The app.")
        var app: String

        @Argument(help: "The producer.")
        var producer: String

        func run() throws {
            let (app, name) = (PercentEscapes.encode(app), PercentEscapes.encode(producer))
            _ = try admin.ask("/v1/apps/\(app)/producers/\(name)/forget", body: [])
            printLine("\(self.app) \(producer) is forgotten")
        }
    }
}
