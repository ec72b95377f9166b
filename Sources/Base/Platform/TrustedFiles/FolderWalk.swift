internal import Glibc

/// The way to a file: who can change one of its folders, or a link on it, can put another file
/// there.
///
///     path ─► folder ─► folder ─► link of root or this user ─► folder ─► … ─► file
///               └────────┴─► no other user can change it ◄───────┘
struct FolderWalk {
    /// The most links on the way, as for `open(2)`.
    private static var linkLimit: Int { 40 }

    /// What is left of the path; the next part is the last.
    private var rest: [Substring]
    /// What was reached: folders, which have been checked; without a slash at its end.
    private var current = ""
    private var links = 0
    /// Whether the file may be a link.
    private let followsFile: Bool
    private let isMountedByKubernetes: Bool

    /// Checks each folder and each link on the way to a file, from the root on; `followsFile` says
    /// whether the file may be a link, too, and not only a folder on the way. Returns where the
    /// file is: a path without links, of which the last part may be missing. Throws
    /// `TrustedFileError`; its sentence is about the file.
    static func resolve(_ path: String, followsFile: Bool) throws(TrustedFileError) -> String {
        var parts = path.split(separator: "/")
        if !path.hasPrefix("/") {
            guard let start = unsafe getcwd(nil, 0) else { throw .system(errno) }
            defer { unsafe free(start) }
            parts = unsafe String(cString: start).split(separator: "/") + parts
        }
        var walk = FolderWalk(
            rest: parts.reversed(),
            followsFile: followsFile,
            // In its volumes all users may write by the permissions, but they are mounted so that
            // they cannot.
            isMountedByKubernetes: KubernetesLink.isOne(path)
        )
        try walk.check("/")
        while let part = walk.rest.popLast() { try walk.enter(part) }
        return walk.current.isEmpty ? "/" : walk.current
    }

    private init(rest: [Substring], followsFile: Bool, isMountedByKubernetes: Bool) {
        self.rest = rest
        self.followsFile = followsFile
        self.isMountedByKubernetes = isMountedByKubernetes
    }

    private mutating func enter(_ part: Substring) throws(TrustedFileError) {
        if part == "." { return }
        if part == ".." {
            current = String(current[..<(current.lastIndex(of: "/") ?? current.startIndex)])
            return
        }
        let next = "\(current)/\(part)"
        guard let target = linkTarget(next) else {
            // Of the file itself, the caller checks more.
            if !rest.isEmpty { try check(next) }
            current = next
            return
        }
        if rest.isEmpty && !followsFile { throw .link(next) }
        var status = stat()
        if unsafe lstat(next, &status) != 0 { throw .system(errno) }
        if !TrustedFile.isOwn(status.st_uid) { throw .foreignLink(next, owner: status.st_uid) }
        links += 1
        if links > Self.linkLimit { throw .system(ELOOP) }
        if target.hasPrefix("/") { current = "" }
        rest += target.split(separator: "/").reversed()
    }

    /// Checks a folder.
    private func check(_ folder: String) throws(TrustedFileError) {
        var status = stat()
        if unsafe lstat(folder, &status) != 0 { throw .system(errno) }
        if status.st_mode & S_IFMT != S_IFDIR { throw .system(ENOTDIR) }
        if !TrustedFile.isOwn(status.st_uid) {
            throw .foreignFolder(folder, owner: status.st_uid, isMendable: isMendable(folder))
        }
        // In a sticky folder, such as /tmp, each user can replace only what is its own.
        if status.st_mode & S_ISVTX != 0 { return }
        // By convention, the group with the number of a user has this user alone.
        let ofGroup = status.st_gid == status.st_uid ? 0 : S_IWGRP
        if status.st_mode & (ofGroup | S_IWOTH) == 0 { return }
        if isMountedByKubernetes && Self.isReadOnly(folder) { return }
        let isMendable = isMendable(folder) && status.st_uid == geteuid()
        throw .changeableFolder(folder, isMendable: isMendable)
    }

    /// Whether an error may ask to change a folder: the one that the file or its link is in, and
    /// neither one further up, in which others have files, too, nor one of the system.
    private func isMendable(_ folder: String) -> Bool {
        let parts = folder.split(separator: "/")
        let isOfSystem = parts.first == "usr" || parts.count < (parts.first == "var" ? 3 : 2)
        return rest.count == 1 && !isOfSystem
    }

    private static func isReadOnly(_ folder: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }
}
