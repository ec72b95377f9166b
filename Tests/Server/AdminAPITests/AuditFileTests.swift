import Basics
import Credentials
import Foundation
import HTTPServing
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The files of the audit log")
struct AuditFileTests {
    private let folder = TestFolder()
    private var path: String { folder.path + "/audit.jsonl" }

    private func key() throws -> AuditKey { try AuditKey(ofLog: path, mayBeNew: true) }

    private func file(limit: Int, formerFiles: Int = 3) throws -> AuditFile {
        try AuditFile(path, key: try key(), limit: limit, formerFiles: formerFiles)
    }

    /// The lines of a file without their codes.
    private func lines(_ path: String) -> [String] {
        sealed(path).map { String($0.prefix { $0 != "~" }) }
    }

    private func sealed(_ path: String) -> [String] {
        (text(path) ?? "").replacing(",\"previous\"", with: "~")
            .split(separator: "\n").map(String.init)
    }

    private func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    private func problems() throws -> [String] { try AuditVerification(path).problems }

    /// A line with a text.
    private func object(_ text: String) -> [UInt8] { Array("{\"at\":\"\(text)\"}".utf8) }

    // MARK: - Files

    @Test func `A key is there as a whole or not at all, whatever a cut has left`() throws {
        TestFolder.write(Array("0123".utf8), to: "\(path).key.new")
        let secret = Secret("a token")
        let code = try key().digest(of: secret)
        #expect(text("\(path).key")?.utf8.count == 65 && text("\(path).key.new") == nil)
        #expect(try key().digest(of: secret) == code)
        TestFolder.write(Array("0123".utf8), to: "\(path).key")
        #expect(throws: AuditLogError.self) { try key() }
    }

    @Test func `A full file makes room, and the oldest is dropped`() throws {
        let file = try file(limit: 10, formerFiles: 2)
        for number in 1...5 { _ = try file.append([object("line \(number) is long")]) }
        #expect(lines(path) == [#"{"at":"line 5 is long""#])
        #expect(lines("\(path).1") == [#"{"at":"line 4 is long""#])
        #expect(lines("\(path).2") == [#"{"at":"line 3 is long""#])
        #expect(text("\(path).3") == nil && text("\(path).kept") == nil)
        let found = try AuditVerification(path)
        #expect(found.problems == [] && found.lineCount == 3 && found.isCut)
        #expect(found.begin == "line 3 is long")
    }

    @Test func `What a command has changed is kept when its file is dropped, and refusals are not`()
        throws
    {
        let file = try file(limit: 10, formerFiles: 1)
        _ = try file.append([
            AuditRecord.ended("r-1").object, AuditRecord.ended("r-2", status: 404).object,
        ])
        var link = AuditRecord.begun("r-3", path: "/v1/links")
        link.state = .ended(status: 200, problem: nil, change: nil)
        _ = try file.append([link.object])
        for number in 0..<20 { _ = try file.append([object("\(number)")]) }
        let kept = lines("\(path).kept")
        #expect(kept.count == 1 && kept[0].contains(#""request":"r-1""#))
        #expect(try problems() == [])
        let changed = text("\(path).kept")!.replacing("anna", with: "bert")
        try changed.write(toFile: "\(path).kept", atomically: false, encoding: .utf8)
        #expect(try problems() == ["\(path).kept, line 1: it was changed: its code is another one"])
    }

    @Test func `A rotation that could not end loses no file at the next try`() throws {
        let file = try file(limit: 1)
        for number in 1...3 { _ = try file.append([object("\(number)")]) }
        // A folder with something in it cannot be replaced by a file.
        try FileManager.default.createDirectory(
            atPath: "\(path).3/x",
            withIntermediateDirectories: true
        )
        for _ in 0..<2 {
            #expect(throws: AuditLogError.self) { _ = try file.append([object("4")]) }
        }
        #expect(
            (0..<3).map { lines($0 == 0 ? path : "\(path).\($0)") }
                == [[#"{"at":"3""#], [#"{"at":"2""#], [#"{"at":"1""#]]
        )
        try FileManager.default.removeItem(atPath: "\(path).3")
        _ = try file.append([object("4")])
        #expect((1...3).map { lines("\(path).\($0)").count } == [1, 1, 1])
        #expect(try problems() == [])
    }

    @Test(arguments: ["{\"at\":\"b", "\0\0\0"])
    func `A line that a crash has cut is removed by the next one`(rest: String) throws {
        _ = try file(limit: 10_000).append([object("1")])
        let whole = text(path)!
        try (whole + rest).write(toFile: path, atomically: false, encoding: .utf8)
        _ = try file(limit: 10_000).append([object("2")])
        #expect(text(path)!.hasPrefix(whole))
        #expect(lines(path) == [#"{"at":"1""#, #"{"at":"2""#])
        #expect(try problems() == [])
    }

    @Test func `Another file is not taken for a log`() throws {
        try "some text\n".write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o600)
        for rest in ["", "more"] {
            try ("some text\n" + rest).write(toFile: path, atomically: false, encoding: .utf8)
            let error = #expect(throws: AuditLogError.self) {
                _ = try file(limit: 100).append([object("1")])
            }
            #expect(error?.reason == "it is not an audit log")
        }
    }

    @Test func `Its owner alone can read it, and several may write it`() throws {
        let file = try file(limit: 10_000)
        _ = try file.append([object("x")])
        for name in [path, "\(path).key", "\(path).end"] {
            var status = stat()
            #expect(stat(name, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        let other = try self.file(limit: 10_000)
        _ = try other.append([object("y")])
        _ = try file.append([object("z")])
        #expect(lines(path).count == 3)
        #expect(try problems() == [])
    }

    // MARK: - Verification

    @Test func `A line that was changed, removed, moved or added is found`() throws {
        let file = try file(limit: 400)
        for number in 1...11 { _ = try file.append([object("line \(number)")]) }
        #expect(try problems() == [])
        #expect(text("\(path).1") != nil)
        let whole = text(path)!
        let lines = whole.split(separator: "\n").map { "\($0)\n" }
        try #require(lines.count >= 2)
        func wrong(_ text: String, in path: String) throws -> [String] {
            let former = self.text(path)!
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            defer { try? former.write(toFile: path, atomically: false, encoding: .utf8) }
            return try problems()
        }
        let swapped = lines[1] + lines[0] + lines.dropFirst(2).joined()
        for other in [
            whole.replacing("line 9", with: "line 8"), lines.dropFirst().joined(), swapped,
            "{\"at\":\"x\"}\n" + whole, lines[0] + whole, lines[0].dropLast(3) + "\n" + lines[1],
        ] {
            #expect(try !wrong(String(other), in: path).isEmpty, "\(other)")
        }
        #expect(
            try wrong(lines.dropFirst().joined(), in: path)
                == ["\(path), line 1: lines before it are missing, or were moved"]
        )
        // A former file that is gone, also while the router runs, and one of another log.
        #expect(try !wrong("", in: "\(path).1").isEmpty)
        #expect(try !wrong(whole, in: "\(path).1").isEmpty)
        try FileManager.default.removeItem(atPath: path)
        _ = try file.append([object("10")])
        #expect(try problems() == ["\(path), line 1: lines before it are missing, or were moved"])
        #expect(throws: AuditLogError.self) { try AuditVerification("\(path).none") }
    }

    @Test func `Lines with the codes of another key are found`() throws {
        _ = try file(limit: 10_000).append([object("1")])
        try FileManager.default.removeItem(atPath: "\(path).key")
        _ = try file(limit: 10_000).append([object("2")])
        #expect(
            try problems() == [
                "\(path), line 1: it was changed: its code is another one",
                "\(path), line 2: lines before it are missing, or were moved",
            ]
        )
        try "short\n".write(toFile: "\(path).key", atomically: false, encoding: .utf8)
        #expect(throws: AuditLogError.self) { try AuditVerification(path) }
    }

    // MARK: - The end

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test(arguments: [10_000, 400])
    func `Lines that were cut off at the end are found, also across files`(limit: Int) throws {
        let file = try file(limit: limit)
        for number in 1...9 { _ = try file.append([object("line \(number)")]) }
        let found = try AuditVerification(path)
        #expect(found.problems == [] && found.last?.number == 9 && found.last?.date == "line 9")
        let (whole, end) = (text(path)!, text("\(path).end")!)
        let lines = whole.split(separator: "\n").map { "\($0)\n" }
        for left in 0..<lines.count {
            try write(lines[..<left].joined(), to: path)
            let last = 9 - lines.count + left
            let place = last == 0 ? "has none" : "ends with line \(last)"
            #expect(
                try problems() == [
                    "\(path): its last lines are missing: the last one was line 9 with the code "
                        + "\(found.last!.code), and it \(place)"
                ]
            )
        }
        try FileManager.default.removeItem(atPath: "\(path).end")
        try write(whole, to: path)
        #expect(try problems() == ["\(path).end: it is missing, and perhaps lines are, too"])
        try write(end.replacing("9,", with: "8,"), to: "\(path).end")
        #expect(try problems() == ["\(path).end: it was changed, or is of another key"])
        try write(end, to: "\(path).end")
        #expect(try problems() == [])
    }

    @Test func `A cut-off end stays visible when the log is continued`() throws {
        for isSame in [true, false] {
            for isEndRemoved in [true, false] {
                let former = try file(limit: 10_000)
                _ = try former.append((1...4).map { object("line \($0)") })
                #expect(!former.isCut)
                let whole = text(path)!.split(separator: "\n").map { "\($0)\n" }
                try write(whole.dropLast(2).joined(), to: path)
                if isEndRemoved { try FileManager.default.removeItem(atPath: "\(path).end") }
                let next = isSame ? former : try file(limit: 10_000)
                _ = try next.append([object("next")])
                #expect(next.isCut)
                _ = try next.append([object("last")])
                #expect(!next.isCut)
                let line = whole.count - 1
                #expect(
                    try problems()
                        == ["\(path), line \(line): lines before it are missing, or were moved"]
                )
                for name in [path, "\(path).end"] {
                    try FileManager.default.removeItem(atPath: name)
                }
            }
        }
    }

    @Test func `Older copies of all files are found by the code of a later line`() throws {
        let file = try file(limit: 10_000)
        _ = try file.append([object("1"), object("2")])
        let (older, end) = (text(path)!, text("\(path).end")!)
        _ = try file.append([object("3")])
        let code = try #require(try AuditVerification(path).last?.code)
        #expect(try AuditVerification(path, expecting: code).problems == [])
        _ = try file.append([object("4")])
        #expect(try AuditVerification(path, expecting: code).problems == [])
        try write(older, to: path)
        try write(end, to: "\(path).end")
        #expect(try problems() == [])
        let found = try AuditVerification(path, expecting: code).problems
        let sentence =
            "\(path): no line has the code \(code): it was cut off or, if it is of a file that was "
            + "dropped, is not kept"
        #expect(found == [sentence])
    }

    @Test func `After a crash the end may be that of an earlier line`() throws {
        let file = try file(limit: 400)
        for number in 1...7 { _ = try file.append([object("line \(number)")]) }
        let end = text("\(path).end")!
        // The crash has come between a line and its end; the second one begins a file.
        for number in 8...9 { _ = try file.append([object("line \(number)")]) }
        #expect(text("\(path).2") != nil)
        try write(end, to: "\(path).end")
        #expect(try problems() == [])
        let next = try self.file(limit: 400)
        _ = try next.append([object("next")])
        #expect(!next.isCut)
        #expect(try problems() == [] && AuditVerification(path).last?.number == 10)
    }

    @Test func `What cannot be looked into is an error, and not an empty place`() throws {
        let file = folder.path(of: "file")
        TestFolder.write([], to: file)
        #expect(try AuditFile.exists(file))
        #expect(try !AuditFile.exists(folder.path(of: "none")))
        #expect(throws: AuditLogError.self) { try AuditFile.exists("\(file)/below") }
        let key = try key()
        #expect(throws: AuditLogError.self) { try AuditEnd.read(ofLog: "\(file)/log", key: key) }
        // A link that leads nowhere takes the name.
        let link = folder.path(of: "link")
        #expect(symlink("nowhere", link) == 0)
        #expect(try AuditFile.exists(link))
    }

    @Test func `A crash may come between the first line and its end`() throws {
        let file = try file(limit: 10_000)
        let end = text("\(path).end")!
        _ = try file.append([object("line 1")])
        try write(end, to: "\(path).end")
        let next = try self.file(limit: 10_000)
        _ = try next.append([object("line 2")])
        #expect(try !next.isCut && problems() == [] && AuditVerification(path).last?.number == 2)
    }

    @Test func `A line that is kept stands for none of the files that are there`() throws {
        let file = try file(limit: 10_000)
        for number in 1...4 { _ = try file.append([object("line \(number)")]) }
        let lines = text(path)!.split(separator: "\n").map { "\($0)\n" }
        let last = try #require(try AuditVerification(path).last)
        // An attacker moves the last line away, and with it what came before.
        try write(lines[3], to: "\(path).kept")
        try write(lines[0..<2].joined(), to: path)
        let found = try AuditVerification(path, expecting: last.code).problems
        #expect(found.count == 2 && found.contains { $0.contains("its last lines are missing") })
        #expect(found.contains { $0.contains("no line has the code \(last.code)") })
    }

    @Test func `A number that is none of the log is not believed`() throws {
        let file = try file(limit: 10_000)
        _ = try file.append([object("line 1")])
        let code = String(repeating: "0", count: 32)
        let line = #"{"at":"x","previous":"\#(code)","line":\#(UInt64.max),"code":"\#(code)"}"#
        try write(text(path)! + line + "\n", to: path)
        _ = try self.file(limit: 10_000).append([object("line 2")])
        #expect(try !problems().isEmpty)
    }

    @Test func `A log whose lines have no numbers is none`() throws {
        let key = try key()
        let signed = "{\"at\":\"line 1\",\"previous\":\"\(AuditChain.none)"
        let code = Array(signed.utf8).withByteView { key.code(of: $0) }
        try write(signed + "\",\"code\":\"\(code)\"}\n", to: path)
        chmod(path, 0o600)
        #expect(try problems().count == 1)
        let error = #expect(throws: AuditLogError.self) {
            _ = try file(limit: 10_000).append([object("2")])
        }
        #expect(error?.reason == "it is not an audit log")
    }

    @Test func `It is tried whether a line could be written`() throws {
        let file = try file(limit: 100)
        try file.probe()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let error = #expect(throws: AuditLogError.self) { try file.probe() }
        #expect(error?.reason == "Is a directory")
        try FileManager.default.removeItem(atPath: path)
        try file.probe()
    }
}
