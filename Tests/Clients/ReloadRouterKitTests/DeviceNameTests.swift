import Foundation
import ReloadRouterKit
import Synchronization
import Testing

@Suite("A device's name")
struct DeviceNameTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("kit-name-\(UUID())")

    private var file: URL { folder.appendingPathComponent("ReloadRouterKit.device") }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test("is made once, by whichever process comes first")
    func together() async throws {
        defer { clean() }
        for _ in 0..<20 {
            clean()
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try DeviceName.kept(in: folder) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(names.count == 1)
            #expect(try DeviceName.kept(in: folder) == names.first)
            // No draft is left.
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files == [file.lastPathComponent])
        }
    }

    @Test("is made by one process alone where no file can be linked, too")
    func unlinked() async throws {
        defer { clean() }
        let refuse: @Sendable (URL, URL) throws -> Void = { _, _ in
            throw CocoaError(.fileWriteNoPermission)
        }
        for _ in 0..<20 {
            clean()
            let names = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try? DeviceName.kept(in: folder, link: refuse) }
                }
                return await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            // Who has read a part of it has none.
            let name = try DeviceName.kept(in: folder)
            #expect(names.subtracting([nil]) == [name])
        }
    }

    @Test("is not replaced while it cannot be read, and none is made where none can be kept")
    func unreadable() throws {
        defer { clean() }
        // A folder in its place can be read by no user.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(throws: ReportError.self) { try DeviceName.kept(in: folder) }
        clean()
        let name = try DeviceName.kept(in: folder)
        try Data(name.utf8.prefix(7)).write(to: file)
        #expect(throws: ReportError.self) { try DeviceName.kept(in: folder) }
        try Data(name.utf8).write(to: file)
        #expect(try DeviceName.kept(in: folder) == name)
        #expect(throws: ReportError.self) { try DeviceName.kept(in: nil) }
        #expect(throws: ReportError.self) { try DeviceName.kept(in: file) }
    }

    @Test("that is not known yet sends nothing, and what was remembered is sent once it is")
    func later() async throws {
        let router = FakeSystem()
        let name = Mutex<String?>(nil)
        let reporter = router.reporter(
            device: try name.withLock { name in
                guard let name else { throw CocoaError(.fileReadNoPermission) }
                return name
            }
        )
        for _ in 0..<2 {
            await #expect {
                try await reporter.register([elf])
            } throws: { error in
                guard case ReportError.storageFailing = error else { return false }
                return true
            }
        }
        #expect(router.requests.isEmpty && router.tokenCount == 0)
        name.withLock { $0 = "d-7" }
        #expect(try await reporter.refresh())
        name.withLock { $0 = nil }
        #expect(try await !reporter.refresh())
        #expect(router.requests.count == 1 && router.requests[0].line.contains("/devices/d-7/"))
    }
}
