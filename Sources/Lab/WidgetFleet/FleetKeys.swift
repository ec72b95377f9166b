internal import Basics
internal import Cryptography
internal import Foundation
internal import Platform

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
    ///
    /// - Parameter apns: the mock's address.
    /// - Returns: flags of `serve`.
    func flags(_ apns: String) -> [String] {
        [
            "--publish", "127.0.0.1:0", "--apns-keys", folder.path, "--apns-plaintext",
            "--apns-production", apns, "--apns-sandbox", apns,
        ]
    }
}
