internal import Glibc

/// Opens files that decide who may do what, or that are evidence of what was done: app files, lists
/// of operators, tokens, keys, the audit log.
///
///     path ─► each folder and link on the way: no other user can put another file there
///          └► file of root or this user ─► no other user can change it ─► descriptor
///
/// So a link is followed if each step is safe: it is of root or this user itself, and so are the
/// folders that it is in and leads through, and none of them can be changed by others. That holds
/// for those that certbot makes (`live/x/privkey.pem` → `../../archive/…`), and for those of
/// Kubernetes' volumes. What is written, the audit log, is no link: it stays where it was named.
package enum TrustedFile {
    /// How often the way to a file is found again, if what it leads to is replaced meanwhile.
    private static var attempts: Int { 3 }

    /// Opens a regular file with flags as those of `open(2)`, of which 0 reads; one that is made is
    /// its owner's alone. Returns the descriptor, which the caller closes. Throws
    /// `TrustedFileError`.
    package static func open(_ path: String, flags: CInt = 0) throws(TrustedFileError) -> CInt {
        let isRead = flags & (O_ACCMODE | O_CREAT) == O_RDONLY
        var attempt = 1
        while true {
            let real: String
            do throws(TrustedFileError) {
                real = try FolderWalk.resolve(path, followsFile: isRead)
            } catch {
                attempt += 1
                // The version of a volume went while the walk was in it.
                if error == .system(ENOENT) && attempt <= attempts { continue }
                throw error
            }
            // Not waiting for the writer of a pipe.
            let file = unsafe Glibc.open(real, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            if file < 0 {
                let code = errno
                attempt += 1
                // A link was replaced by a file, or the version of a volume by the next one.
                let isReplaced = (code == ELOOP || code == ENOENT) && real != path
                if isReplaced && attempt <= attempts { continue }
                throw .system(code)
            }
            do throws(TrustedFileError) {
                try requireOwn(file, path: real)
            } catch {
                close(file)
                throw error
            }
            return file
        }
    }

    /// Opens what a command reads once if it is a pipe, such as `--key <(decrypt key.pem.gpg)`, or
    /// the terminal. Returns the descriptor, which the caller closes; nil if the path leads to
    /// something else. Throws `TrustedFileError`.
    package static func openPipe(_ path: String) throws(TrustedFileError) -> CInt? {
        var status = stat()
        if unsafe stat(path, &status) != 0 || !isPipe(status.st_mode) { return nil }
        // It waits until another process opens the pipe, too.
        let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { throw .system(errno) }
        if unsafe fstat(file, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFCHR && isatty(file) == 1 { return file }
            if status.st_mode & S_IFMT == S_IFIFO && isOwn(status.st_uid) { return file }
        }
        close(file)
        throw .notFile
    }

    private static func isPipe(_ mode: mode_t) -> Bool {
        mode & S_IFMT == S_IFIFO || mode & S_IFMT == S_IFCHR
    }

    private static func requireOwn(_ file: CInt, path: String) throws(TrustedFileError) {
        var status = stat()
        if unsafe fstat(file, &status) != 0 { throw .system(errno) }
        if status.st_mode & S_IFMT != S_IFREG { throw .notFile }
        if !isOwn(status.st_uid) { throw .foreign(path, owner: status.st_uid) }
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 { throw .changeable(path) }
    }

    /// Whether a user is root or the one of this process: those who can do what it can anyway.
    static func isOwn(_ user: uid_t) -> Bool { user == 0 || user == geteuid() }
}

/// Why a file is not opened.
package struct TrustedFileError: Error, Equatable, Sendable {
    /// What is wrong, and the command that changes it if there is one: the end of a sentence that
    /// begins with the file's path and a colon.
    package let reason: String

    static func system(_ code: CInt) -> TrustedFileError {
        TrustedFileError(reason: unsafe String(cString: strerror(code)))
    }

    /// It is a folder, or a device.
    static var notFile: TrustedFileError { TrustedFileError(reason: "it is not a file") }

    static func link(_ path: String) -> TrustedFileError {
        TrustedFileError(
            reason: "it is a link, and what is written there could be elsewhere; make it a file "
                + "with: cp --remove-destination \"$(readlink -f \(path))\" \(path)"
        )
    }

    static func foreignLink(_ path: String, owner: uid_t) -> TrustedFileError {
        TrustedFileError(
            reason: "the user \(owner) can lead the link \(path) elsewhere; mend it with: "
                + "chown -h \(geteuid()) \(path)"
        )
    }

    static func foreign(_ path: String, owner: uid_t) -> TrustedFileError {
        TrustedFileError(
            reason: "it belongs to the user \(owner), who can change it, and is neither root nor "
                + "the user of this program; mend it with: chown \(geteuid()) \(path)"
        )
    }

    static func changeable(_ path: String) -> TrustedFileError {
        TrustedFileError(reason: "other users can change it; mend it with: chmod go-w \(path)")
    }

    static func foreignFolder(
        _ folder: String,
        owner: uid_t,
        isMendable: Bool
    ) -> TrustedFileError {
        TrustedFileError(
            reason: "the user \(owner) can replace it, whose folder \(folder) is; "
                + (isMendable ? "mend it with: chown \(geteuid()) \(folder)" : elsewhere)
        )
    }

    static func changeableFolder(_ folder: String, isMendable: Bool) -> TrustedFileError {
        TrustedFileError(
            reason: "other users can replace it in the folder \(folder); "
                + (isMendable ? "mend it with: chmod go-w \(folder)" : elsewhere)
        )
    }

    /// In place of a command that would change what others use.
    private static var elsewhere: String { "keep it where its user alone can replace it" }
}
