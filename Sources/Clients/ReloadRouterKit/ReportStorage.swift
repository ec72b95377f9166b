public import Foundation

/// Where a `DeviceReporter` remembers the registration: data by keys, shared by the app and its
/// extensions. It never has the device's credential.
public struct ReportStorage: Sendable {
    let load: @Sendable (String) -> Data?
    let save: @Sendable (Data, String) throws -> Void

    /// Makes a storage.
    ///
    /// - Parameters:
    ///   - load: returns the data of a key; nil if there are none.
    ///   - save: sets the data of a key, wholly or not at all; called by any thread.
    public init(
        load: @escaping @Sendable (_ key: String) -> Data?,
        save: @escaping @Sendable (_ data: Data, _ key: String) throws -> Void
    ) {
        self.load = load
        self.save = save
    }

    /// The defaults of an app group, which the app and its widget extension share.
    ///
    /// - Parameter suite: the group's name, such as `group.com.mygame`.
    /// - Returns: the storage.
    public static func appGroup(_ suite: String) -> ReportStorage {
        ReportStorage(
            load: { key in UserDefaults(suiteName: suite)?.data(forKey: "ReloadRouterKit.\(key)") },
            save: { data, key in
                guard let defaults = UserDefaults(suiteName: suite) else {
                    throw ReportError.storageFailing("there is no app group \(suite)")
                }
                defaults.set(data, forKey: "ReloadRouterKit.\(key)")
            }
        )
    }

    /// A folder, which is made if it does not exist, with a file for each key.
    public static func folder(_ folder: URL) -> ReportStorage {
        ReportStorage(
            load: { key in try? Data(contentsOf: folder.appendingPathComponent("\(key).json")) },
            save: { data, key in
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
                try data.write(to: folder.appendingPathComponent("\(key).json"), options: .atomic)
            }
        )
    }
}
