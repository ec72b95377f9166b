public import Foundation

extension FileManager {
    /// The folder that an app and its extensions share: one for each group, in the folder of
    /// temporary files, made if it does not exist. Nil if it cannot be made.
    public func containerURL(
        forSecurityApplicationGroupIdentifier groupIdentifier: String
    ) -> URL? {
        let folder = temporaryDirectory.appendingPathComponent(
            "groups/\(groupIdentifier)",
            isDirectory: true
        )
        let isMade: Void? = try? createDirectory(at: folder, withIntermediateDirectories: true)
        return isMade.map { folder }
    }
}
