import ArgumentParser

/// Flags of `serve`: what may be stored, by app and in all.
struct ServeQuotas: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Most stored widgets of all devices. (default: 100000000)",
            valueName: "widgets"
        )
    )
    var maxWidgets: String?

    @Option(
        help: ArgumentHelp(
            "Most kinds of an app; an app file with more is refused. (default: 65000)",
            valueName: "kinds"
        )
    )
    var maxKindsPerApp: String?

    @Option(
        help: ArgumentHelp(
            "Memory that all stored devices and widgets may take; beyond, more are refused. "
                + "(default: what the machine's memory leaves)",
            valueName: "bytes"
        )
    )
    var storedTotal: String?

    @Option(
        help: ArgumentHelp(
            "Most devices of an app whose \"quotas\" do not say. (default: --max-devices)",
            valueName: "devices"
        )
    )
    var appMaxDevices: String?

    @Option(
        help: ArgumentHelp(
            "Most widgets of an app whose \"quotas\" do not say. (default: --max-widgets)",
            valueName: "widgets"
        )
    )
    var appMaxWidgets: String?

    @Option(
        help: ArgumentHelp(
            "Memory that the devices and widgets of an app may take whose \"quotas\" do not say. "
                + "(default: --stored-total)",
            valueName: "bytes"
        )
    )
    var appStoredBytes: String?

    @Option(
        help: ArgumentHelp(
            "Most sessions of an app whose \"quotas\" do not say. (default: --max-connections)",
            valueName: "sessions"
        )
    )
    var appMaxSessions: String?

    @Option(
        help: ArgumentHelp(
            "Memory that there is for the router. (default: the least of the machine's and its "
                + "control groups')",
            valueName: "bytes"
        )
    )
    var memory: String?

    /// The flags that were given, under the names that all sources share.
    var given: [(String, String?)] {
        [
            ("max-widgets", maxWidgets), ("max-kinds-per-app", maxKindsPerApp),
            ("stored-total", storedTotal), ("app-max-devices", appMaxDevices),
            ("app-max-widgets", appMaxWidgets), ("app-stored-bytes", appStoredBytes),
            ("app-max-sessions", appMaxSessions), ("memory", memory),
        ]
    }
}
