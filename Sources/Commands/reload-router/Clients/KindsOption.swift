import ArgumentParser
import Basics

/// The option that narrows pushes to kinds of widgets.
struct KindsOption: ParsableArguments {
    @Option(
        name: .customLong("kinds"),
        help: ArgumentHelp(
            "Narrow the pushes to widgets of these kinds, separated by commas.",
            valueName: "kinds"
        )
    )
    var list: String?

    /// The names; nil if the pushes are not narrowed.
    var names: [String]? { list.map { KindNames.names(in: $0) } }

    func validate() throws {
        guard let names, KindNames.encode(names) == nil else { return }
        throw ValidationError(
            "--kinds is \(list ?? ""); each name must have 1 to \(RouterLimits.identifierBytes) bytes, "
                + "and all together at most 65,535"
        )
    }
}
