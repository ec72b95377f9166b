internal import Glibc

/// The folders on the way to a file: who can change one of them can put another file there.
struct FolderWalk {
    /// The most links on the way, as for `open(2)`.
    private static var linkLimit: Int { 40 }

    /// What is left of the path; the next part is the last.
    private var rest: [Substring]
    /// The folder reached, which has been checked; without a slash at its end.
    private var current = ""
    private var links = 0
    private let isMountedByKubernetes: Bool

    /// Checks each folder on the way to a file, from the root on.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isMountedByKubernetes: whether its volume, in which all users may write by its
    ///     permissions, may be mounted so that they cannot.
    /// - Throws: `TrustedFileError`; its sentence is about the file.
    static func requireOwn(
        _ path: String,
        isMountedByKubernetes: Bool
    ) throws(TrustedFileError) {
        var parts = path.split(separator: "/").dropLast()
        if !path.hasPrefix("/") {
            guard let start = unsafe getcwd(nil, 0) else { throw .system(errno) }
            defer { unsafe free(start) }
            parts = unsafe String(cString: start).split(separator: "/") + parts
        }
        var walk = FolderWalk(
            rest: parts.reversed(),
            isMountedByKubernetes: isMountedByKubernetes
        )
        try walk.check("/")
        while let part = walk.rest.popLast() { try walk.enter(part) }
    }

    private init(rest: [Substring], isMountedByKubernetes: Bool) {
        self.rest = rest
        self.isMountedByKubernetes = isMountedByKubernetes
    }

    private mutating func enter(_ part: Substring) throws(TrustedFileError) {
        if part == "." { return }
        if part == ".." {
            current = String(current[..<(current.lastIndex(of: "/") ?? current.startIndex)])
            return
        }
        let next = "\(current)/\(part)"
        guard let target = KubernetesLink.ownLink(next) else {
            try check(next)
            current = next
            return
        }
        links += 1
        if links > Self.linkLimit { throw .system(ELOOP) }
        if target.hasPrefix("/") { current = "" }
        rest += target.split(separator: "/").reversed()
    }

    /// Checks a folder, or a link of another user.
    private func check(_ folder: String) throws(TrustedFileError) {
        var status = stat()
        if unsafe lstat(folder, &status) != 0 { throw .system(errno) }
        if !TrustedFile.isOwn(status.st_uid) {
            throw .foreignFolder(folder, owner: status.st_uid)
        }
        // In a sticky folder, such as /tmp, each user can replace only what is its own.
        if status.st_mode & S_ISVTX != 0 { return }
        // By convention, the group with the number of a user has this user alone.
        let ofGroup = status.st_gid == status.st_uid ? 0 : S_IWGRP
        if status.st_mode & (ofGroup | S_IWOTH) == 0 { return }
        if isMountedByKubernetes && Self.isReadOnly(folder) { return }
        throw .changeableFolder(folder)
    }

    private static func isReadOnly(_ folder: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }
}
