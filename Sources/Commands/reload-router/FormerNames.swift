import CommandSupport

/// The flags that have new names, until the next version.
enum FormerNames {
    /// The address to connect to is `--to` in every command.
    static let flags = [
        FormerFlag("top", name: "--server", present: "--to"),
        FormerFlag("explain", name: "--server", present: "--to"),
        FormerFlag("producers", name: "--server", present: "--to"),
    ]
}
