import AdminAPI
import Basics
import CommandSupport
import LibuvLoop

/// Divides the file descriptors of the process between connections and everything else.
///
/// If connections used all of them, the store could neither write nor, once its disk works again,
/// be reopened.
struct ServeDescriptors {
    /// Descriptors that connections must leave: 96 for the admin server, 32 for connections that
    /// are being closed to make room for others, a dozen for the process, and the rest for the
    /// store, which keeps its files of 64 MiB open.
    static let reserve = 256
    /// Descriptors that connections must leave in this process.
    private let reserve: Int
    /// The fewest connections with which starting makes sense.
    private static let fewestConnections = 64

    /// The descriptors that this process may have.
    let available: Int

    /// Raises the limit of descriptors as far as the system allows. An admin server with TLS needs
    /// more of them.
    ///
    /// - Throws: `SettingsProblem` if that is too few.
    init(_ settings: ServeSettings, publishing: ServePublishing?, apns: ServeAPNs) throws {
        let hasSecureAdmin = try settings.adminSecurity() != nil
        available = raiseFileDescriptorLimit()
        reserve =
            Self.reserve + (hasSecureAdmin ? AdminServer.securityDescriptors : 0)
            + (publishing?.descriptors ?? 0) + apns.descriptors
        let fewest = reserve + Self.fewestConnections
        if available < fewest {
            throw SettingsProblem(
                "the limit of open files is \(available) (ulimit -n); it must be at least "
                    + "\(fewest): \(reserve) for the store, the HTTP servers and APNs, and "
                    + "\(Self.fewestConnections) for connections"
            )
        }
    }

    /// Lowers the limit of connections to what the descriptors allow, and returns a sentence for
    /// the log if it was higher.
    func cap(_ limits: inout RouterLimits) -> String? {
        let most = available - reserve
        assert(most >= Self.fewestConnections, "too few connections are left")
        if limits.connections <= most { return nil }
        limits.connections = most
        return "only \(most) connections are accepted: the limit of open files is \(available) "
            + "(ulimit -n)"
    }
}
