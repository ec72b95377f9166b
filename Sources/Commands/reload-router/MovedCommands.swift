import ArgumentParser
import CommandSupport

/// Commands that have moved to `reload-lab`: typed here, each says so.
enum MovedCommands {
    private static let names = ["bench", "capture", "fleet", "record", "replay", "simulate"]

    /// Ends the program if its first argument has moved.
    static func refuse(_ arguments: [String]) {
        guard arguments.count > 1, names.contains(arguments[1]) else { return }
        let name = arguments[1]
        writeStandardError("reload-router \(name): it is `reload-lab \(name)` now\n")
        ReloadRouter.exit(withError: ExitCode.validationFailure)
    }
}

/// Flags of `device` that showed its screen.
struct MovedScreen: ParsableArguments {
    @Flag(help: .private) var open = false
    @Option(help: .private) var page: String?
    @Option(help: .private) var origin: String?

    func refuse() throws {
        if open || page != nil || origin != nil {
            throw ValidationError(
                "the screen is `reload-lab screen` now, with the same flags but --open"
            )
        }
    }
}
