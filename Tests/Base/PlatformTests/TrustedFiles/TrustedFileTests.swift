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

    @Test func `is no link, wherever that leads`() {
        make("file")
        let link = folder.path(of: "link")
        for target in [path, "file", "/etc/passwd", "nothing", "/dev/zero"] {
            unlink(link)
            #expect(symlink(target, link) == 0)
            #expect(reason(link)?.hasPrefix("it is a link") == true, "\(target)")
            #expect(reason(link)?.contains("$(readlink -f \(link))") == true)
            #expect(reason(link, flags: O_RDWR | O_CREAT)?.hasPrefix("it is a link") == true)
        }
        #expect(access(folder.path(of: "nothing"), F_OK) != 0)
    }

    @Test func `may be what the links of Kubernetes lead to`() {
        mkdir(folder.path(of: "..2026_11_29"), 0o755)
        make("..2026_11_29/file", mode: 0o444)
        #expect(symlink("..2026_11_29", folder.path(of: "..data")) == 0)
        #expect(symlink("..data/file", path) == 0)
        #expect(reason(path) == nil)
        // Not to another file, nor out of the folder.
        make("..2026_11_29/other")
        #expect(symlink("..data/other", folder.path(of: "third")) == 0)
        #expect(reason(folder.path(of: "third"))?.hasPrefix("it is a link") == true)
        chmod(folder.path(of: "..2026_11_29/file"), 0o666)
        #expect(reason(path)?.hasPrefix("other users can change it") == true)
        unlink(folder.path(of: "..data"))
        for target in [folder.path(of: "..2026_11_29"), "..", "../x", "data"] {
            #expect(symlink(target, folder.path(of: "..data")) == 0)
            #expect(reason(path)?.hasPrefix("it is a link") == true, "\(target)")
            unlink(folder.path(of: "..data"))
        }
    }

    @Test func `is in folders in which no other user can replace it`() {
        let inner = folder.path(of: "inner")
        mkdir(inner, 0o700)
        make("inner/file")
        let path = "\(inner)/file"
        #expect(reason(path) == nil)
        // The folder itself, and one further up.
        for changed in [inner, folder.path] {
            chmod(changed, 0o777)
            let wanted =
                "other users can replace it in the folder \(changed); mend it with: chmod go-w "
                + changed
            #expect(reason(path) == wanted)
            chmod(changed, 0o1777)
            #expect(reason(path) == nil)
            if chown(changed, 54_321, 54_321) == 0 {
                #expect(reason(path)?.hasPrefix("the user 54321 can replace it") == true)
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
        #expect(reason("\(link)/file")?.hasSuffix("chmod go-w \(inner)") == true)
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
    }

    @Test func `that is made has its owner alone`() {
        #expect(reason(path, flags: O_RDWR | O_CREAT) == nil)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
}
