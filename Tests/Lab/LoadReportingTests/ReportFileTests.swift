import Glibc
import TestSupport
import Testing

@testable import LoadReporting

@Suite("The file of a report")
struct ReportFileTests {
    private let folder = TestFolder()

    /// What is at a path; a link is not followed.
    private func status(_ name: String) -> stat {
        var status = stat()
        #expect(lstat(folder.path(of: name), &status) == 0, "\(name)")
        return status
    }

    private func text(_ name: String) throws -> String {
        try ReportFile.read(folder.path(of: name))
    }

    /// Only root can give a file away: for others, the owner is the same in any case.
    @Test(arguments: [0o600, 0o666] as [mode_t])
    func `is a new one with the mode and the owner of the old`(mode: mode_t) throws {
        let path = folder.path(of: "report")
        TestFolder.write("old".utf8, to: path)
        _ = chown(path, 4_321, 1_234)
        #expect(chmod(path, mode) == 0)
        let old = status("report")
        try ReportFile.check(path)
        try ReportFile.write("new", to: path)
        let new = status("report")
        #expect(try text("report") == "new" && new.st_ino != old.st_ino)
        #expect((new.st_mode, new.st_uid) == (old.st_mode, old.st_uid))
        #expect(new.st_gid == old.st_gid)
        #expect(TestFolder.names(folder.path) == ["report"])
    }

    @Test func `is written where a link leads, also if nothing is there yet`() throws {
        mkdir(folder.path(of: "a"), 0o700)
        #expect(symlink("a/second", folder.path(of: "first")) == 0)
        #expect(symlink("../report", folder.path(of: "a/second")) == 0)
        for report in ["1", "2"] {
            try ReportFile.check(folder.path(of: "first"))
            try ReportFile.write(report, to: folder.path(of: "first"))
            #expect(try text("report") == report)
            for link in ["first", "a/second"] {
                #expect(status(link).st_mode & S_IFMT == S_IFLNK, "\(link)")
            }
        }
        #expect(TestFolder.files(folder.path) == ["a/second", "first", "report"])
    }

    @Test(arguments: ["none/report", "circle"])
    func `is refused where a link leads nowhere`(target: String) {
        let link = folder.path(of: "circle")
        #expect(symlink(target, link) == 0)
        #expect(throws: ReportProblem.self) { try ReportFile.check(link) }
        #expect(throws: ReportProblem.self) { try ReportFile.write("new", to: link) }
        #expect(status("circle").st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `is written in place where no other can be made beside it`() throws {
        // Root may write to each folder; but no name beside this one is short enough.
        let name = String(repeating: "n", count: 250)
        TestFolder.write("the old one".utf8, to: folder.path(of: name))
        let old = status(name)
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        try ReportFile.check(folder.path(of: name))
        try ReportFile.write("new", to: folder.path(of: name))
        #expect(try text(name) == "new" && status(name).st_ino == old.st_ino)
    }
}
