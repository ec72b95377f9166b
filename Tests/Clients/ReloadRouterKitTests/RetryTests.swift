import Foundation
import ReloadRouterKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A report that fails")
struct RetryTests {
    let router = FakeSystem()

    /// The error of a registration.
    private func failure(_ reporter: DeviceReporter? = nil) async -> ReportError? {
        do throws(ReportError) {
            try await (reporter ?? router.reporter()).register([elf])
            return nil
        } catch {
            return error
        }
    }

    @Test("is sent again after pauses that double, until it is answered")
    func pauses() async throws {
        router.next(
            .fail(.cannotConnectToHost),
            .fail(.networkConnectionLost),
            .problem(503, "busy"),
            .answer(502, "<html>"),
            .answer(429),
            .answer(408),
            .fail(.timedOut)
        )
        var limits = ReportLimits()
        limits.callTime = .seconds(60)
        #expect(await failure(router.reporter(limits: limits)) == nil)
        #expect(router.pauses == [0.5, 1, 2, 4, 8, 16, 20].map(Duration.seconds))
        #expect(router.tokenCount == 1)
    }

    @Test("has pauses of random lengths, from half of the step to all of it")
    func jitter() async throws {
        let router = router
        let steps = (0..<400).map { _ in FakeSystem.Step.answer(503) }
        router.change { $0.steps = steps }
        var system = ReportSystem.live
        system.transport = { _ in throw URLError(.cannotConnectToHost) }
        system.uptime = { .zero }
        system.sleep = { time in
            let count = router.change { state in
                state.pauses.append(time)
                return state.pauses.count
            }
            if count == 400 { throw CancellationError() }
        }
        var limits = ReportLimits()
        limits.firstPause = .seconds(10)
        limits.longestPause = .seconds(10)
        let reporter = DeviceReporter(
            url: URL(string: "https://router.example")!,
            app: "a",
            device: "d",
            storage: router.storage,
            limits: limits,
            system: system,
            token: { "t" }
        )
        #expect(await failure(reporter) == .cancelled)
        let lengths = router.pauses.map { $0 / .seconds(1) }
        #expect(lengths.allSatisfy { (5...10).contains($0) })
        // Of 400 random ones, each third has some.
        for third in 0..<3 {
            let lower = 5 + Double(third) * 5 / 3
            #expect(lengths.contains { (lower...(lower + 5 / 3)).contains($0) })
        }
    }

    @Test("gives up when the call has lasted too long, with the last error")
    func giveUp() async throws {
        let steps = (0..<50).map { _ in FakeSystem.Step.problem(503, "loading") }
        router.change { $0.steps = steps }
        let error = await failure()
        #expect(error == .refused(status: 503, code: "loading", message: "a sentence"))
        #expect(error?.isTemporary == true)
        // 0.5, 1, 2, 4 and 8 s; another 16 s would be more than 25 s, and an app that has left the
        // foreground may run for about 30 s.
        #expect(router.requests.count == 6)
        #expect(router.pauses.reduce(.zero, +) < .seconds(25))
    }

    @Test("is not sent again if that cannot help", arguments: [400, 403, 404, 405, 409, 413, 501])
    func permanent(status: Int) async throws {
        router.next(.problem(status, "a-code", ["Retry-After": "1"]))
        let error = await failure()
        #expect(error == .refused(status: status, code: "a-code", message: "a sentence"))
        #expect(error?.isTemporary == false)
        #expect(router.requests.count == 1 && router.pauses.isEmpty)
    }

    @Test(
        "is not sent again to a server that has not proved itself",
        arguments: [
            URLError.Code.serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .appTransportSecurityRequiresSecureConnection,
        ]
    )
    func untrusted(code: URLError.Code) async throws {
        router.next(.fail(code))
        guard case .untrusted = await failure() else {
            Issue.record("it was judged in another way")
            return
        }
        #expect(router.requests.count == 1)
    }

    @Test("waits at least as long as the router asks for")
    func retryAfter() async throws {
        router.next(.problem(503, "busy", ["Retry-After": "7"]))
        #expect(await failure() == nil)
        #expect(router.pauses == [.seconds(7.5)])
    }

    @Test("understands the dates of Retry-After")
    func retryDate() async throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = router.date + 11
        router.next(.problem(503, "busy", ["Retry-After": format.string(from: date)]))
        #expect(await failure() == nil)
        #expect(router.pauses == [.seconds(11.5)])
    }

    @Test("ignores a Retry-After that is none", arguments: ["", "-1", "soon", "1.5"])
    func noRetryAfter(text: String) async throws {
        router.next(.problem(503, "busy", ["Retry-After": text]))
        #expect(await failure() == nil)
        #expect(router.pauses == [.seconds(0.5)])
    }

    @Test("leaves the router alone as long as it asks for, in all processes")
    func postponed() async throws {
        router.next(.problem(429, "too-many-requests", ["Retry-After": "600"]))
        #expect(await failure()?.isTemporary == true)
        #expect(router.pauses.isEmpty)
        let end = router.date + 600
        #expect(await failure() == .postponed(until: end))
        #expect(router.requests.count == 1)
        router.pass(.seconds(590))
        #expect(await failure() == nil)
        #expect(router.pauses == [.seconds(10)])
    }

    @Test("believes no Retry-After of more than an hour")
    func longRetryAfter() async throws {
        router.next(.problem(503, "busy", ["Retry-After": "4000000000"]))
        _ = await failure()
        let end = router.date + 3_600
        router.pass(.seconds(3_500))
        #expect(await failure() == .postponed(until: end))
        #expect(router.requests.count == 1)
        router.pass(.seconds(100))
        #expect(await failure() == nil)
    }

    @Test("is sent again with another credential if the router refuses it, but only once")
    func credentials() async throws {
        router.next(.problem(401, "token-expired"))
        let reporter = router.reporter()
        #expect(try await reporter.register([elf]))
        #expect(router.requests.map(\.token) == ["Bearer token-1", "Bearer token-2"])
        router.next(.problem(401, "token-invalid"), .problem(401, "token-invalid"))
        await #expect(throws: ReportError.self) { try await reporter.register([]) }
        #expect(router.requests.count == 4)
        #expect(router.pauses.isEmpty)
        // The refused credential is not shown again.
        #expect(try await reporter.refresh())
        #expect(router.requests.map(\.token).suffix(2) == ["Bearer token-3", "Bearer token-4"])
    }

    @Test("waits for the app's backend if the network is at fault, and not otherwise")
    func backend() async throws {
        let router = router
        let reporter = router.reporter(token: {
            let count = router.change { state in
                state.tokens.append("")
                return state.tokens.count
            }
            if count == 1 { throw URLError(.notConnectedToInternet) }
            if count == 3 { throw CocoaError(.userCancelled) }
            return "token"
        })
        #expect(try await reporter.register([elf]))
        #expect(router.pauses.count == 1)
        router.next(.answer(401))
        await #expect {
            try await reporter.register([])
        } throws: { error in
            guard case ReportError.tokenUnavailable = error else { return false }
            return true
        }
        #expect(router.pauses.count == 1 && router.requests.count == 2)
    }

    @Test("is not sent by a task that was cancelled before")
    func cancelledBefore() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure()
        }
        #expect(await task.value == .cancelled)
        #expect(router.requests.isEmpty)
    }

    @Test("ends when its task is cancelled")
    func cancelled() async throws {
        let router = router
        let steps = (0..<50).map { _ in FakeSystem.Step.fail(.cannotConnectToHost) }
        router.change { $0.steps = steps }
        router.change { state in
            state.meanwhile = { withUnsafeCurrentTask { $0?.cancel() } }
        }
        #expect(await Task { await self.failure() }.value == .cancelled)
        #expect(router.requests.count == 1)
    }

    @Test(
        "shows its credential to no other machine without TLS",
        arguments: [
            "http://router.example", "ftp://router.example", "router.example",
            "http://localhost.example",
        ]
    )
    func unprotected(url: String) async throws {
        guard case .invalid = await failure(router.reporter(url: url)) else {
            Issue.record("it was judged in another way")
            return
        }
        #expect(router.requests.isEmpty)
        #expect(await failure(router.reporter(url: "http://localhost:7412/base/")) == nil)
        let base = "http://localhost:7412/base/v1/apps/com%2Emygame/devices/d-1"
        #expect(router.requests.map(\.line) == ["PUT \(base)/widgets"])
    }
}
