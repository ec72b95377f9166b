internal import Glibc

/// The links by which Kubernetes replaces all files of a volume at once.
enum KubernetesLink {
    /// Follows the link of a file.
    ///
    /// - Parameter path: a file in a volume, such as `/etc/apps/apps.json`.
    /// - Returns: the file of the present version, such as `/etc/apps/..2026_11_29/apps.json`; nil
    ///   if the path is no link, or leads to nothing.
    /// - Throws: `link` if it is a link of another kind, or another user's.
    static func resolve(_ path: String) throws(TrustedFileError) -> String? {
        guard let target = ownLink(path) else {
            if isLink(path) { throw .link(path) }
            return nil
        }
        let (folder, name) = split(path)
        guard target == "..data/\(name)", let version = ownLink("\(folder)..data"),
            version.hasPrefix(".."), version != "..", !version.contains("/")
        else { throw .link(path) }
        return "\(folder)\(version)/\(name)"
    }

    /// The folder of a path, with a slash at its end unless it is empty, and the name in it.
    private static func split(_ path: String) -> (folder: Substring, name: Substring) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path[...]) }
        return (path[...slash], path[path.index(after: slash)...])
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Where a link of root or this user leads; nil if there is none.
    static func ownLink(_ path: String) -> String? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
            TrustedFile.isOwn(status.st_uid)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe readlink(path, memory.bindMemory(to: CChar.self).baseAddress!, memory.count)
        }
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
