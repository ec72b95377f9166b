internal import Glibc

/// Opens files that decide who may do what, or that are evidence of what was done: app files, lists
/// of operators, tokens, keys, the audit log.
///
///     path ─► no link ─► of root or this user ─► no other user can change it ─► descriptor
///          └► each folder on the way: no other user can put another file there
///
/// One link is followed: that of Kubernetes in its volumes, `file` → `..data/file`, where `..data`
/// → `..2026_11_29…` is the present version of the whole folder.
package enum TrustedFile {
    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - flags: as those of `open(2)`; 0 reads. A file that is made is its owner's alone.
    /// - Returns: the descriptor of a regular file, which the caller closes.
    /// - Throws: `TrustedFileError`.
    package static func open(
        _ path: String,
        flags: CInt = 0
    ) throws(TrustedFileError) -> CInt {
        let real = try KubernetesLink.resolve(path)
        let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        // Not waiting for the writer of a pipe.
        let file = unsafe Glibc.open(real ?? path, flags, 0o600)
        if file < 0 { throw errno == ELOOP ? .link(path) : .system(errno) }
        do throws(TrustedFileError) {
            try requireOwn(file, path: path)
            try FolderWalk.requireOwn(real ?? path, isMountedByKubernetes: real != nil)
        } catch {
            close(file)
            throw error
        }
        return file
    }

    /// Opens what a command reads once if it is a pipe, such as `--key <(decrypt key.pem.gpg)`, or
    /// the terminal.
    ///
    /// - Returns: the descriptor, which the caller closes; nil if the path leads to something else.
    /// - Throws: `TrustedFileError`.
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
            reason: "it is a link, which may lead elsewhere at any time; make it a file with: "
                + "cp --remove-destination \"$(readlink -f \(path))\" \(path)"
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

    static func foreignFolder(_ folder: String, owner: uid_t) -> TrustedFileError {
        TrustedFileError(
            reason: "the user \(owner) can replace it, whose folder \(folder) is; mend it with: "
                + "chown \(geteuid()) \(folder)"
        )
    }

    static func changeableFolder(_ folder: String) -> TrustedFileError {
        TrustedFileError(
            reason: "other users can replace it in the folder \(folder); mend it with: "
                + "chmod go-w \(folder)"
        )
    }
}
