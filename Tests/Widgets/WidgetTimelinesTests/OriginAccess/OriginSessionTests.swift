import Foundation
import Synchronization
import Testing
import WidgetTimelines

@Suite struct OriginSessionTests {
    @Test func `Code that no device runs has no origin`() async {
        await #expect(throws: OriginError.noOrigin) {
            try await OriginSession.shared.data(from: "/character/elf-42")
        }
        #expect(OriginSession.shared.pushedValues == nil)
    }

    @Test func `Code that a device runs asks the device's origin`() async throws {
        let origin = EchoingOrigin()
        let task = OriginSession.run(with: origin, pushedValues: nil) {
            Task { try await OriginSession.shared.data(from: "/region/marsh") }
        }
        #expect(try await task.value == Data("/region/marsh".utf8))
        #expect(origin.paths.withLock { $0 } == ["/region/marsh"])
    }

    @Test func `A completion handler is called once, with the session's answer`() {
        var answers: [Result<Data, OriginError>] = []
        OriginSession.run(with: EchoingOrigin(), pushedValues: nil) {
            OriginSession.shared.dataTask(with: "/a") { answers.append($0) }
        }
        #expect(answers == [.success(Data("/a".utf8))])
    }

    @Test func `What a reload brought along is there while its widget is asked`() {
        let values = Data(#"{"hp":30}"#.utf8)
        let seen = OriginSession.run(with: EchoingOrigin(), pushedValues: values) {
            OriginSession.shared.pushedValues
        }
        #expect(seen == values)
        #expect(OriginSession.shared.pushedValues == nil)
    }
}

extension OriginSessionTests {
    @Test func `A download goes to the device's origin, and what it brought is read there`() {
        let origin = EchoingOrigin()
        OriginSession.run(with: origin, pushedValues: nil) {
            OriginSession.shared.downloadTask(with: "/a", inBackgroundSession: "b")
            #expect(OriginSession.shared.downloadedData(for: "/a") == Data("b".utf8))
            #expect(OriginSession.shared.downloadedData(for: "/c") == nil)
        }
        OriginSession.shared.downloadTask(with: "/a", inBackgroundSession: "b")
        #expect(OriginSession.shared.downloadedData(for: "/a") == nil)
    }
}

/// Answers at once, with the path.
private final class EchoingOrigin: OriginTransport {
    let paths = Mutex<[String]>([])
    private let downloads = Mutex<[String: String]>([:])

    func download(_ path: String, identifier: String) {
        downloads.withLock { $0[path] = identifier }
    }

    func downloaded(_ path: String) -> Data? {
        downloads.withLock { $0[path].map { Data($0.utf8) } }
    }

    func fetch(
        _ path: String,
        completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) {
        paths.withLock { $0.append(path) }
        completion(.success(Data(path.utf8)))
    }
}
