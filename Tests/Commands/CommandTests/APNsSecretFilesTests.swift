import Basics
import CommandSupport
import Cryptography
import Foundation
import Platform
import Testing

@testable import reload_router

@Suite("The files with keys for APNs")
final class APNsSecretFilesTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/keys-\(UUID())"
    /// How long ago the files were written, for what reads them.
    private var age = Milliseconds.seconds(3)

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { "\(folder)/AuthKey_K.p8" }

    private func files() -> APNsSecretFiles {
        APNsSecretFiles(folder, makeContext: nil, now: { [unowned self] in .now + age })
    }

    private func writeKey() throws {
        let authority = try DevelopmentAuthority(named: "tests", now: .now, days: 1)
        try SecretFile.write(authority.identity.key, to: path, isSecret: true)
    }

    @Test func `A file that has not changed is not read again`() throws {
        try writeKey()
        let files = files()
        let (first, second) = (try files.key("K"), try files.key("K"))
        #expect(first === second)
    }

    @Test func `A file that has just changed is read again, because it may change unseen`() throws {
        age = .zero
        try writeKey()
        let files = files()
        let (first, second) = (try files.key("K"), try files.key("K"))
        #expect(first !== second && first.isSame(as: second))
    }

    @Test func `Another key under the same name is used, and a file that has gone is not`() throws {
        try writeKey()
        let files = files()
        let first = try files.key("K")
        try writeKey()
        let second = try files.key("K")
        #expect(!second.isSame(as: first))
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: SettingsProblem.self) { try files.key("K") }
    }

    @Test func `A file that every user may read now is refused, though its bytes are the same`()
        throws
    {
        try writeKey()
        let files = files()
        let first = try files.key("K")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: SettingsProblem.self) { try files.key("K") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let second = try files.key("K")
        #expect(second.isSame(as: first))
    }

    @Test func `What is not in use any more is not kept`() throws {
        try writeKey()
        let files = files()
        weak let first = try files.key("K")
        #expect(first == nil)
        let second = try files.key("K")
        #expect(try files.key("K") === second)
    }
}
