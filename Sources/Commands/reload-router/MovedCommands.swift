import ArgumentParser
import CommandSupport

/// The commands that have moved to `reload-lab`. Typed here, each prints where it is now.
enum MovedCommands {
    private static let names = ["bench", "capture", "fleet", "replay", "simulate"]

    /// Prints where the command is now, and ends the program, if the first argument names a command
    /// that has moved.
    static func refuse(_ arguments: [String]) {
        guard arguments.count > 1, names.contains(arguments[1]) else { return }
        let name = arguments[1]
        writeStandardError("reload-router \(name): this command is now `reload-lab \(name)`\n")
        ReloadRouter.exit(withError: ExitCode.validationFailure)
    }
}

/// The flags of `device` that have moved to `reload-lab screen`. Given here, they are refused with
/// a message that says so.
struct MovedScreen: ParsableArguments {
    @Flag(help: .private) var open = false
    @Option(help: .private) var page: String?
    @Option(help: .private) var origin: String?

    /// - Throws: `ValidationError` if one of the flags is given.
    func refuse() throws {
        if open || page != nil || origin != nil {
            throw ValidationError(
                "the screen is now `reload-lab screen`, with the same flags except --open"
            )
        }
    }
}
