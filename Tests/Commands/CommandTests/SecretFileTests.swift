import CommandSupport
import Foundation
import Testing

@Suite("A file with a secret")
final class SecretFileTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/secrets-\(UUID())"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { "\(folder)/key.pem" }

    /// Why a file is not read; nil if it is.
    private func problem(_ path: String, from source: SecretFile.Source) -> String? {
        do throws(SettingsProblem) {
            _ = try SecretFile.key(path, of: "key", from: source)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        (0o600, nil), (0o640, nil), (0o660, "chmod go-w"), (0o604, "chmod 600"),
        (0o602, "chmod go-w"),
    ])
    func `is refused if every user can read or change it`(mode: Int, remedy: String?) throws {
        try SecretFile.write([1, 2, 3], to: path, isSecret: true)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let problem = problem(path, from: .files)
        #expect((problem == nil) == (remedy == nil))
        if let remedy {
            #expect(problem?.hasPrefix("key is \(path): ") == true)
            #expect(problem?.hasSuffix("mend it with: \(remedy) \(path)") == true)
        }
        #expect(try SecretFile.certificate(path, of: "cert", from: .files) == [1, 2, 3])
    }

    @Test func `that decides may be read by all users, and is changed by none`() throws {
        try SecretFile.write([1], to: path, isSecret: false)
        #expect(try SecretFile.trusted(path, of: "operators") == [1])
        // Each step of this link is as safe as the file.
        let link = "\(folder)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for source in [SecretFile.Source.files, .filesAndPipes] {
            #expect(try SecretFile.trusted(link, of: "operators", from: source) == [1])
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
        let error = #expect(throws: SettingsProblem.self) {
            try SecretFile.trusted(path, of: "operators")
        }
        #expect("\(error!)".hasSuffix("mend it with: chmod go-w \(path)"))
    }

    @Test(arguments: [SecretFile.Source.files, .filesAndPipes])
    func `is a file, and neither a folder nor a device`(source: SecretFile.Source) throws {
        for other in ["/dev/zero", "/dev/null", folder] {
            let link = "\(folder)/link"
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
            #expect(problem(other, from: source) == "key is \(other): it is not a file")
            #expect(problem(link, from: source)?.hasPrefix("key is \(link): it is ") == true)
        }
        #expect(problem(path, from: source) == "key is \(path): No such file or directory")
    }

    @Test func `is not waited for while a router serves, if it is a pipe`() {
        #expect(mkfifo(path, 0o600) == 0)
        #expect(problem(path, from: .files) == "key is \(path): it is not a file")
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        #expect(problem(path, from: .files) == "key is \(path): it is not a file")
    }

    @Test func `may be the pipe of a shell, where it is read once`() throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data("secret".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let bytes = try SecretFile.key(path, of: "key")
        #expect(bytes == Array("secret".utf8))
    }

    @Test func `has at most a MiB`() throws {
        try SecretFile.write([UInt8](repeating: 1, count: 1 << 20), to: path, isSecret: true)
        #expect(try SecretFile.key(path, of: "key").count == 1 << 20)
        try SecretFile.write([UInt8](repeating: 1, count: 1 << 20 + 1), to: path, isSecret: true)
        #expect(problem(path, from: .files)?.hasSuffix("a file of at most 1048576 bytes") == true)
    }
}
