public import Foundation

extension FileManager {
    /// The folder that an app and its extensions share: one for each group, in the folder of
    /// temporary files.
    public func containerURL(
        forSecurityApplicationGroupIdentifier groupIdentifier: String
    ) -> URL? {
        temporaryDirectory.appendingPathComponent("groups/\(groupIdentifier)", isDirectory: true)
    }
}
