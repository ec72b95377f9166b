import Glibc
import TestSupport
import Testing

extension TestFolder {
    /// Makes a user the owner of a folder and of everything in it.
    static func giveAway(_ path: String, to user: uid_t, _ group: gid_t) {
        chown(path, user, group)
        for name in names(path) { giveAway("\(path)/\(name)", to: user, group) }
    }

    /// Expects that a folder and its files belong to a user and a group, and that nobody but the
    /// user may use them.
    static func expect(_ path: String, ownedBy user: uid_t, _ group: gid_t) {
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_uid == user && status.st_gid == group, "\(path)")
        #expect(status.st_mode & 0o777 == (isFolder(path) ? 0o700 : 0o600), "\(path)")
        for name in names(path) { expect("\(path)/\(name)", ownedBy: user, group) }
    }
}
