import ArgumentParser
import CommandSupport

/// `context`: keeps routers by names, so that no command repeats how to reach one.
struct ContextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Keep routers by names, so that no command repeats their flags.",
        discussion: """
            A context has a router's address, an app, and the files with tokens and certificates. \
            Commands that ask a router read from the one in use what their flags do not give: \
            push, device, explain, history, top, dashboard, producers, devices, token, and \
            reload-lab screen. RELOAD_ROUTER_CONTEXT names another one for a call, or none if it is empty. \
            With the --to of another router, a command reads only the app: a token goes to the \
            context's own router alone. One that is given its address, its token and its app \
            reads no context, and so no options for TLS.

            Contexts are in reload-router/contexts.json below $XDG_CONFIG_HOME, or else ~/.config. \
            They name files, and have no secret of their own.

            Exit status: 0 done, 1 not, and why.
            """,
        subcommands: [
            AddContext.self, UseContext.self, ListContexts.self, ShowContext.self,
            RemoveContext.self,
        ]
    )
}

/// `context use`: uses a context from now on.
struct UseContext: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Use a context from now on; without a name, none."
    )

    @Argument(help: "The context.")
    var name: String?

    func run() throws {
        try ContextFile.change { file throws(SettingsProblem) in try file.use(name) }
        printLine(name.map { "\($0) is in use" } ?? "no context is in use")
    }
}

/// `context list`: prints the names of all contexts.
struct ListContexts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all contexts; a star is beside the one in use."
    )

    func run() throws {
        let file = try ContextFile()
        let used = try ContextFile.inUse()?.name
        let width = file.contexts.keys.map(\.count).max() ?? 0
        for (name, context) in file.contexts.sorted(by: { $0.key < $1.key }) {
            let padding = String(repeating: " ", count: width - name.count)
            let members = [context.members[.to], context.members[.app]].compactMap { $0 }
            let mark = name == used ? "*" : " "
            printLine("\(mark) \(name)\(padding)  \(members.joined(separator: "  "))")
        }
    }
}

/// `context show`: prints what a context has.
struct ShowContext: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print what a context has, as the options in whose place it is read."
    )

    @Argument(help: "The context. (default: the one in use)")
    var name: String?

    func run() throws {
        let shown = try name.map { try ContextFile().context($0) } ?? ContextFile.inUse()
        guard let shown else {
            throw SettingsProblem("no context is in use; `reload-router context list` lists all")
        }
        printLine(shown.name)
        for member in CommandContext.Member.allCases {
            guard let text = shown.members[member] else { continue }
            printLine(member == .security ? "  --\(text)" : "  --\(member.rawValue) \(text)")
        }
    }
}

/// `context remove`: removes a context.
struct RemoveContext: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a context. The files that it names stay."
    )

    @Argument(help: "The context.")
    var name: String

    func run() throws {
        try ContextFile.change { file throws(SettingsProblem) in try file.remove(name) }
        printLine("\(name) is removed")
    }
}
