import Foundation
import Synchronization
import WidgetTimelines

/// Answers with what a test has put there, and refuses all else.
final class FakeOrigin: OriginTransport {
    private let objects: [String: String]
    private let asked = Mutex<[String]>([])

    init(_ objects: [String: String] = [:]) {
        self.objects = objects
    }

    /// What was asked for, in order of the alphabet.
    var paths: [String] { asked.withLock { $0.sorted() } }

    /// None of the examples downloads in the background.
    func download(_ path: String, identifier: String) {}
    func downloaded(_ path: String) -> Data? { nil }

    func fetch(
        _ path: String,
        completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) {
        asked.withLock { $0.append(path) }
        let answer = objects[path].map { Data($0.utf8) }
        completion(answer.map { .success($0) } ?? .failure(.refused(status: 503)))
    }
}
