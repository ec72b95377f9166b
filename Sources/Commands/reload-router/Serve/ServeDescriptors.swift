import CommandSupport
import LibuvLoop
import ReloadModel

/// Open files: how many of those that the system allows may be connections.
///
/// Without any left the store could neither write nor, when its disk works again, be opened.
struct ServeDescriptors {
    /// Open files that connections leave alone: 64 of the admin server, 32 of connections that were
    /// told to make room, a dozen of the process, and the rest for the store, which keeps its files of
    /// 64 MiB open.
    static let reserve = 256
    /// With room for fewer connections than this there is no use in starting.
    private static let fewestConnections = 64

    /// As many as this process may have.
    let available: Int

    /// Allows as many as the system lets this process have.
    init() throws {
        available = raiseFileDescriptorLimit()
        let fewest = Self.reserve + Self.fewestConnections
        if available < fewest {
            throw SettingsProblem(
                "the limit of open files is \(available) (ulimit -n); \(fewest) are the fewest: "
                    + "\(Self.reserve) for the store and the admin server, and "
                    + "\(Self.fewestConnections) for connections"
            )
        }
    }

    /// Lowers the limit of connections to what the open files allow.
    ///
    /// - Returns: a sentence if it was higher.
    func cap(_ limits: inout RouterLimits) -> String? {
        let most = available - Self.reserve
        if limits.connections <= most { return nil }
        limits.connections = most
        return "only \(most) connections are taken: the limit of open files is \(available) "
            + "(ulimit -n)"
    }
}
