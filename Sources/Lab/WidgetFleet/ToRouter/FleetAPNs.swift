internal import APNsMock
internal import Basics
internal import Cryptography
internal import Foundation
internal import LibuvLoop
internal import Platform

/// Apple's push service as a fleet has it: a mock that passes what it accepts to the devices.
final class FleetAPNs {
    private let mock: MockServer
    /// What was answered when the measurement began.
    private var atStart: [String: Int] = [:]

    /// Listens; `accepted` gets the token of each accepted push, and when the push expires.
    ///
    /// - Throws: `FleetError` if it cannot listen.
    init(
        _ loop: Loop,
        address: Endpoint,
        accepted: @escaping (_ token: String, _ expiry: WallTime) -> Void
    ) throws(FleetError) {
        var generator = SystemRandomNumberGenerator()
        do {
            let addresses = try SocketAddress.resolve(
                host: address.host,
                port: address.port,
                loop: loop
            )
            mock = try MockServer(
                loop,
                address: addresses[0],
                security: nil,
                settings: MockSettings(),
                now: { .now },
                date: { .now },
                random: { generator.next() }
            )
        } catch {
            throw FleetError("APNs cannot be played at \(address): \(error)")
        }
        mock.onRequest = { request, answer in
            guard answer?.status == 200, let token = request.token else { return }
            accepted(token, Self.expiry(request.expiration))
        }
    }

    /// When a push expires, by its field, in seconds since 1970: 0 is an attempt at once, and
    /// without the field Apple keeps it for weeks.
    private static func expiry(_ field: String?) -> WallTime {
        guard let seconds = field.flatMap({ Int64($0) }) else { return .max }
        return WallTime(rawValue: min(max(0, seconds), Int64.max / 1_000) * 1_000)
    }

    /// Makes a device's token dead from now on.
    func kill(_ token: String) { mock.rules.kill(token, since: .now) }

    /// Starts the measurement.
    func begin() { atStart = mock.rules.counts }

    /// Pushes that were refused since then, by the reason as APNs spells it.
    var refused: [String: Int] {
        var counts = mock.rules.counts
        counts[""] = nil
        for (reason, count) in atStart { counts[reason]? -= count }
        return counts.filter { $0.value > 0 }
    }

    func close() { mock.close() }
}

/// A temporary folder with keys for APNs, for the fleet's own router, named as Apple names their
/// files. It is deleted at `deinit`.
final class FleetKeys {
    let folder: URL

    /// Makes a key for each id.
    ///
    /// - Throws: `FleetError` if a file cannot be written.
    init(_ ids: Set<String>) throws(FleetError) {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("reload-router-fleet-\(UUID().uuidString)")
        do {
            let manager = FileManager.default
            try manager.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            for id in ids {
                let pem = try DevelopmentAuthority(named: "fleet", now: .now, days: 1).identity.key
                let path = folder.appendingPathComponent("AuthKey_\(id).p8").path
                let isWritten = manager.createFile(
                    atPath: path,
                    contents: Data(pem),
                    attributes: [.posixPermissions: 0o600]
                )
                if !isWritten { throw FleetError("\(path) cannot be written") }
            }
        } catch {
            throw FleetError("a key for APNs cannot be made: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The settings of a router that pushes to a mock on this machine.
    func flags(_ apns: String) -> [String] {
        [
            "--publish", "127.0.0.1:0", "--apns-keys", folder.path, "--apns-plaintext",
            "--apns-production", apns, "--apns-sandbox", apns,
        ]
    }
}
