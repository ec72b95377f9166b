import Foundation
import ReloadRouterKit
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A router that answers as a test says, and a time that passes only in pauses.
final class FakeSystem: Sendable {
    /// What the router does with a request.
    enum Step: Sendable {
        case answer(Int, String = "", [String: String] = [:])
        case fail(URLError.Code)
    }

    struct Request: Equatable, Sendable {
        let line: String
        let body: String
        let token: String
    }

    struct State {
        var steps: [Step] = []
        var requests: [Request] = []
        var pauses: [Duration] = []
        var time = Duration.zero
        var date = Date(timeIntervalSince1970: 1_795_000_000)
        var files: [String: Data] = [:]
        var tokens: [String] = []
        var isFull = false
        /// The key whose data are never stored.
        var forgets = ""
        /// Called in the midst of each request.
        var meanwhile: (@Sendable () async -> Void)?
        var underWay = 0
        var mostUnderWay = 0
    }

    private let state = Mutex(State())
    /// The pauses between repetitions of what the app does, which end when a test says so.
    private let repetitions = AsyncStream.makeStream(of: Void.self)

    init(_ steps: Step...) {
        state.withLock { $0.steps = steps }
    }

    var requests: [Request] { state.withLock(\.requests) }
    var date: Date { state.withLock(\.date) }
    var mostUnderWay: Int { state.withLock(\.mostUnderWay) }
    var pauses: [Duration] { state.withLock(\.pauses) }
    /// How often the app's backend was asked for a credential.
    var tokenCount: Int { state.withLock { $0.tokens.count } }

    /// Changes something of it.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout sending State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// What the router does next; then it accepts everything.
    func next(_ steps: Step...) {
        state.withLock { $0.steps += steps }
    }

    /// Ends a pause between two repetitions of what the app does.
    func endRepetitionPause() { repetitions.continuation.yield() }

    /// Lets time pass.
    func pass(_ time: Duration) {
        state.withLock { state in
            state.time += time
            state.date += time / .seconds(1)
        }
    }

    var storage: ReportStorage {
        ReportStorage(
            load: { key in self.state.withLock { $0.files[key] } },
            save: { data, key in
                try self.state.withLock { state in
                    if state.isFull { throw CocoaError(.fileWriteOutOfSpace) }
                    if key != state.forgets { state.files[key] = data }
                }
            }
        )
    }

    /// A reporter of a process; several of one system share their storage.
    func reporter(
        device: @autoclosure @escaping @Sendable () throws -> String = "d-1",
        url: String = "https://router.example:7412",
        limits: ReportLimits = ReportLimits(),
        token: (@Sendable () async throws -> String)? = nil
    ) -> DeviceReporter {
        DeviceReporter(
            url: URL(string: url)!,
            app: "com.mygame",
            device: try device(),
            storage: storage,
            limits: limits,
            system: system,
            token: token ?? {
                self.state.withLock { state in
                    state.tokens.append("token-\(state.tokens.count + 1)")
                    return state.tokens.last!
                }
            }
        )
    }

    private var system: ReportSystem {
        ReportSystem(
            transport: { try await self.answer($0) },
            now: { self.state.withLock(\.date) },
            uptime: { self.state.withLock(\.time) },
            sleep: { time in
                try Task.checkCancellation()
                if time == ReportLimits().stateAge {
                    for await _ in self.repetitions.stream { return }
                    throw CancellationError()
                }
                self.state.withLock { $0.pauses.append(time) }
                self.pass(time)
            },
            // The longest pause that is possible.
            random: { $0.upperBound }
        )
    }

    private func answer(_ request: URLRequest) async throws -> (Data, URLResponse) {
        let (step, meanwhile) = state.withLock { state in
            state.requests.append(Request(request))
            state.underWay += 1
            state.mostUnderWay = max(state.mostUnderWay, state.underWay)
            let step = state.steps.isEmpty ? .answer(204) : state.steps.removeFirst()
            return (step, state.meanwhile)
        }
        defer { state.withLock { $0.underWay -= 1 } }
        await Task.yield()
        await meanwhile?()
        switch step {
        case .fail(let code): throw URLError(code)
        case .answer(let status, let body, let headers):
            let answer = HTTPURLResponse(
                url: request.url!,
                statusCode: status,
                httpVersion: nil,
                headerFields: headers
            )
            return (Data(body.utf8), answer!)
        }
    }
}

extension FakeSystem.Request {
    init(_ request: URLRequest) {
        let url = request.url!
        line = "\(request.httpMethod!) \(url.absoluteString)"
        body = String(decoding: request.httpBody!, as: UTF8.self)
        token = request.value(forHTTPHeaderField: "Authorization") ?? ""
    }

    /// The body's members.
    var members: [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8))
        return object as? [String: Any] ?? [:]
    }

    /// The path's last segment.
    var resource: String { line.split(separator: "/").last.map(String.init) ?? "" }
}

extension FakeSystem.Step {
    /// A refusal as the router writes it.
    static func problem(_ status: Int, _ code: String, _ headers: [String: String] = [:]) -> Self {
        .answer(status, #"{"code":"\#(code)","detail":"a sentence"}"#, headers)
    }
}

let elf = ReportedWidget(
    id: "w1",
    kind: "com.mygame.character-detail",
    family: "systemSmall",
    configuration: ["character": "elf-42"]
)
