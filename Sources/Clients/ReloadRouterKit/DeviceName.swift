public import Foundation

/// The name of a device, which is made once and stays the same while the app is installed.
///
/// It is a file of its own, because defaults look empty before the first unlock after a restart,
/// when the system may already run an extension, and because app and extension may start at the
/// same time: whichever comes first makes it, and the other one takes that.
public enum DeviceName {
    /// The name in a folder that the app and its extensions share, which makes it if there is none.
    ///
    /// The file has no secret and is readable before the first unlock.
    ///
    /// - Parameter folder: the folder of the app group, from
    ///   `containerURL(forSecurityApplicationGroupIdentifier:)`; nil, which that is without the
    ///   entitlement, is an error.
    /// - Returns: the name.
    /// - Throws: `storageFailing` if there may be a name that cannot be read, or none can be kept;
    ///   then the device has no name for now, rather than another one.
    public static func kept(in folder: URL?) throws(ReportError) -> String {
        try kept(in: folder, link: FileManager.default.linkItem)
    }

    /// The name in a folder, with a link that a test may let fail.
    package static func kept(
        in folder: URL?,
        link: (_ draft: URL, _ file: URL) throws -> Void
    ) throws(ReportError) -> String {
        guard let folder else { throw .storageFailing("the app group has no folder") }
        let file = folder.appendingPathComponent("ReloadRouterKit.device", isDirectory: false)
        if let name = try read(file) { return name }
        try write(UUID().uuidString, to: file, in: folder, link: link)
        if let name = try read(file) { return name }
        throw .storageFailing("\(file.path) is not there after it was written")
    }

    /// The file's text; nil if there is no such file.
    private static func read(_ file: URL) throws(ReportError) -> String? {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw .storageFailing("\(error)")
        }
        guard let name = String(bytes: data, encoding: .utf8), UUID(uuidString: name) != nil else {
            throw .storageFailing("\(file.path) has no name of a device")
        }
        return name
    }

    /// Makes the file, unless another process does first.
    private static func write(
        _ name: String,
        to file: URL,
        in folder: URL,
        link: (_ draft: URL, _ file: URL) throws -> Void
    ) throws(ReportError) {
        let manager = FileManager.default
        var options: Data.WritingOptions = .withoutOverwriting
        #if canImport(Darwin)
        options.insert(.noFileProtection)
        #endif
        let draft = folder.appendingPathComponent("ReloadRouterKit.\(name)", isDirectory: false)
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(name.utf8).write(to: draft, options: options)
            defer { try? manager.removeItem(at: draft) }
            // A link, other than a rename, takes the place of no file, and shows a whole one.
            do {
                try link(draft, file)
            } catch let error as CocoaError where error.code != .fileWriteFileExists {
                // Where there are no links: a process that reads meanwhile has no name yet.
                try Data(name.utf8).write(to: file, options: options)
            }
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            return
        } catch {
            throw .storageFailing("\(error)")
        }
    }
}
