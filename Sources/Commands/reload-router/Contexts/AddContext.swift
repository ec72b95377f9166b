import ArgumentParser
import CommandSupport
import Glibc
import LibuvLoop

/// `context add`: adds a context.
struct AddContext: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a context. Its files are read once, to see that they are usable.",
        discussion: """
            A token file is for one role: add a context for publishers and one for devices, or let \
            one have no token file and give --token-file to the other command.

                reload-router context add game --to router.example:7410 --app com.mygame \\
                    --token-file publisher.token --ca ca.pem
                reload-router context use game
                reload-router push '{"event":"healing-potion","character":"elf-42"}'
            """
    )

    @Argument(help: "What to call it: letters, digits, -, . and _.")
    var name: String

    @Option(help: "The router's address; a port alone is one of this machine.", of: "host:port")
    var to: String

    @Option(help: "The app to speak for.")
    var app: String?

    @Option(help: "A file with the app's token for a role, for push and device.", of: "file")
    var tokenFile: String?

    @Option(
        help: "The admin server, for operators: host:port or a URL, on this machine https if "
            + "it has TLS. (default: 127.0.0.1:7411, if the router is on this machine)",
        of: "address"
    )
    var admin: String?

    @Option(help: "A file with the admin server's token.", of: "file")
    var adminTokenFile: String?

    @OptionGroup var protection: SecurityOptions

    func validate() throws {
        if Endpoint(to) == nil { throw ValidationError(Endpoint.problem(to, of: "--to")) }
    }

    func run() throws {
        var context = try CommandContext(name)
        context.members = [.to: to]
        context.members[.app] = app
        context.members[.tokenFile] = tokenFile.map(Self.absolute)
        context.members[.admin] = admin
        context.members[.adminTokenFile] = adminTokenFile.map(Self.absolute)
        protection.keep(in: &context, path: Self.absolute)
        try check(context)
        try ContextFile.change { file throws(SettingsProblem) in try file.add(context) }
        printLine("\(name) is added; to use it: reload-router context use \(name)")
    }

    /// Reads the files, and refuses what a command would refuse later.
    private func check(_ context: CommandContext) throws {
        try context.check()
        if adminTokenFile != nil && context.admin == nil {
            throw ValidationError(
                "--admin-token-file is for an admin server: give --admin, for a router elsewhere"
            )
        }
        for member in CommandContext.Member.files {
            guard let path = context.members[member] else { continue }
            try Self.checkStays(path, of: "--\(member.rawValue)")
        }
        _ = try protection.security()
        if let tokenFile { _ = try ClientOptions.token(inFile: tokenFile) }
        if let file = adminTokenFile { _ = try AdminTokenFile.read(file, of: "--admin-token-file") }
        guard let admin else { return }
        let options = context.protectsAdmin ? protection : try SecurityOptions.parse([])
        _ = try AdminAddress(admin, options: options)
    }

    /// Refuses what later commands would not find again, such as the pipe of `<(…)`.
    private static func checkStays(_ path: String, of option: String) throws(SettingsProblem) {
        var status = stat()
        let isOther = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        // A number there, or a link to one, means another file in each process.
        let isOfProcess = ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
        if isOther || isOfProcess {
            let rule = "a file that later commands find, too"
            throw SettingsProblem(option, value: path, rule: rule)
        }
    }

    /// The path of a file, good from any folder.
    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return "\(unsafe String(cString: folder))/\(path)"
    }
}
