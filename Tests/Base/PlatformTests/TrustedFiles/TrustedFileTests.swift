import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("A file that decides")
struct TrustedFileTests {
    private let folder = TestFolder()
    private var path: String { folder.path(of: "file") }

    /// Why a file is not opened; nil if it is.
    private func reason(_ path: String, flags: CInt = O_RDONLY) -> String? {
        do throws(TrustedFileError) {
            close(try TrustedFile.open(path, flags: flags))
            return nil
        } catch {
            return error.reason
        }
    }

    /// How a reason ends if a folder that is not the file's own would have to be changed.
    private var elsewhere: String { "keep it where its user alone can replace it" }

    private func make(_ name: String, mode: mode_t = 0o600) {
        TestFolder.write([1], to: folder.path(of: name))
        chmod(folder.path(of: name), mode)
    }

    @Test(arguments: [
        (0o600, true), (0o644, true), (0o400, true), (0o620, false), (0o602, false), (0o666, false),
    ])
    func `is opened if its owner alone can change it`(mode: Int, isOpened: Bool) {
        make("file", mode: mode_t(mode))
        let wanted = "other users can change it; mend it with: chmod go-w \(path)"
        #expect(reason(path) == (isOpened ? nil : wanted))
    }

    @Test func `is of root or of the user of this program`() {
        make("file")
        // Only root can give a file away; for others there are files of root alone.
        if chown(path, 54_321, 0) == 0 {
            #expect(reason(path)?.hasPrefix("it belongs to the user 54321") == true)
            #expect(reason(path)?.hasSuffix("mend it with: chown \(geteuid()) \(path)") == true)
        }
        #expect(reason("/etc/passwd") == nil)
    }

    @Test func `may be read by a link each step of which is safe`() {
        make("file")
        let link = folder.path(of: "link")
        for target in [path, "file", "./none/../file", "/etc/passwd"] {
            unlink(link)
            #expect(symlink(target, link) == 0)
            let isMissing = target.contains("none")
            #expect(reason(link) == (isMissing ? "No such file or directory" : nil), "\(target)")
        }
        for (target, wanted) in [
            ("nothing", "No such file or directory"), ("/dev/zero", "it is not a file"),
            (link, "Too many levels of symbolic links"),
        ] {
            unlink(link)
            #expect(symlink(target, link) == 0)
            #expect(reason(link) == wanted)
        }
    }

    @Test func `is refused if a step of its link could be changed by others`() {
        // As certbot makes them.
        for name in ["archive", "archive/x", "live", "live/x"] {
            mkdir(folder.path(of: name), 0o700)
        }
        make("archive/x/key1")
        let link = folder.path(of: "live/x/key")
        #expect(symlink("../../archive/x/key1", link) == 0)
        #expect(reason(link) == nil)
        for name in ["archive", "archive/x", "live", "live/x"] {
            let step = folder.path(of: name)
            chmod(step, 0o777)
            let isOwnFolder = name.hasSuffix("x")
            let remedy = isOwnFolder ? "mend it with: chmod go-w \(step)" : elsewhere
            #expect(reason(link)?.hasSuffix("in the folder \(step); \(remedy)") == true, "\(name)")
            if chown(step, 54_321, 54_321) == 0 {
                chmod(step, 0o700)
                #expect(reason(link)?.hasPrefix("the user 54321 can replace it") == true)
                chown(step, geteuid(), getegid())
            }
            chmod(step, 0o700)
        }
        chmod(folder.path(of: "archive/x/key1"), 0o666)
        let file = folder.path(of: "archive/x/key1")
        #expect(reason(link) == "other users can change it; mend it with: chmod go-w \(file)")
        chmod(file, 0o600)
        #expect(reason(link) == nil)
        if lchown(link, 54_321, 54_321) == 0 {
            let wanted =
                "the user 54321 can lead the link \(link) elsewhere; mend it with: chown -h "
                + "\(geteuid()) \(link)"
            #expect(reason(link) == wanted)
        }
    }

    @Test func `is no link if it is written, wherever that leads`() {
        make("file")
        let link = folder.path(of: "link")
        for target in [path, "file", "/etc/passwd", "nothing", "/dev/zero"] {
            unlink(link)
            #expect(symlink(target, link) == 0)
            for flags in [O_RDWR | O_CREAT | O_APPEND, O_WRONLY, O_RDWR] {
                let reason = reason(link, flags: flags)
                #expect(reason?.hasPrefix("it is a link") == true, "\(target)")
                #expect(reason?.contains("$(readlink -f \(link))") == true)
            }
        }
        #expect(access(folder.path(of: "nothing"), F_OK) != 0)
    }

    @Test func `may be what the links of Kubernetes lead to`() {
        mkdir(folder.path(of: "..2026_11_29"), 0o755)
        make("..2026_11_29/file", mode: 0o444)
        #expect(symlink("..2026_11_29", folder.path(of: "..data")) == 0)
        #expect(symlink("..data/file", path) == 0)
        #expect(reason(path) == nil && KubernetesLink.isOne(path))
        // Another file of the volume, by a link that is not Kubernetes' own.
        make("..2026_11_29/other")
        let third = folder.path(of: "third")
        #expect(symlink("..data/other", third) == 0)
        #expect(reason(third) == nil && !KubernetesLink.isOne(third))
        chmod(folder.path(of: "..2026_11_29/file"), 0o666)
        #expect(reason(path)?.hasPrefix("other users can change it") == true)
        unlink(folder.path(of: "..data"))
        for target in [folder.path(of: "..2026_11_29"), "..", "../x", "data"] {
            #expect(symlink(target, folder.path(of: "..data")) == 0)
            #expect(!KubernetesLink.isOne(path), "\(target)")
            unlink(folder.path(of: "..data"))
        }
    }

    @Test func `is in folders in which no other user can replace it`() {
        let inner = folder.path(of: "inner")
        mkdir(inner, 0o700)
        make("inner/file")
        let path = "\(inner)/file"
        #expect(reason(path) == nil)
        // The folder itself, and one further up, where others may need what they can do.
        for changed in [inner, folder.path] {
            chmod(changed, 0o777)
            let remedy = changed == inner ? "mend it with: chmod go-w \(inner)" : elsewhere
            let wanted = "other users can replace it in the folder \(changed); \(remedy)"
            #expect(reason(path) == wanted)
            chmod(changed, 0o1777)
            #expect(reason(path) == nil)
            if chown(changed, 54_321, 54_321) == 0 {
                #expect(reason(path)?.hasPrefix("the user 54321 can replace it") == true)
                #expect(reason(path)?.contains("chown") == (changed == inner))
                chown(changed, geteuid(), getegid())
            }
            chmod(changed, 0o700)
        }
    }

    @Test func `may be reached by a link to its folder, if what it leads through is safe`() {
        let inner = folder.path(of: "inner")
        let link = folder.path(of: "link")
        mkdir(inner, 0o777)
        make("inner/file")
        #expect(symlink("./inner/../inner", link) == 0)
        chmod(inner, 0o777)
        #expect(reason("\(link)/file")?.contains("in the folder \(inner); ") == true)
        chmod(inner, 0o700)
        #expect(reason("\(link)/file") == nil)
        let loop = folder.path(of: "loop")
        #expect(symlink("loop", loop) == 0)
        #expect(reason("\(loop)/file") != nil)
    }

    @Test func `is a file, and is not waited for`() {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(reason(path) == "it is not a file")
        #expect(reason(folder.path) == "it is not a file")
        #expect(reason(folder.path(of: "none")) == "No such file or directory")
        // Its permissions would say that all users can replace what is in it.
        #expect(reason("/dev/null/file") == "Not a directory")
    }

    @Test func `that is made has its owner alone`() {
        #expect(reason(path, flags: O_RDWR | O_CREAT) == nil)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
}
