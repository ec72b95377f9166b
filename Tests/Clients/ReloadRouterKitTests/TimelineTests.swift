import Foundation
import ReloadRouterKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A timeline's report, and a device's")
struct TimelineTests {
    let router = FakeSystem()
    let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func scheduled(_ seconds: Double) -> FakeSystem.Step {
        let date = Int64((now + seconds).timeIntervalSince1970 * 1_000)
        return .answer(200, #"{"device":"d-1","widget":"w1","reloadAt":\#(date),"slotDelay":0}"#)
    }

    @Test("promises its own timer, and returns the date for it")
    func date() async throws {
        router.next(scheduled(3_601.5))
        let date = try await router.reporter().report(
            timelineOf: "w1",
            entries: [now + 60, now],
            policy: .after(now + 3_600)
        )
        #expect(date == now + 3_601.5)
        let request = try #require(router.requests.first)
        #expect(request.line.hasPrefix("POST ") && request.resource == "timelines")
        #expect(request.members["entries"] as? [Int] == [1_795_000_000_000, 1_795_000_060_000])
        #expect((request.members["policy"] as? [String: Int])?["after"] == 1_795_003_600_000)
        #expect(request.members["ownTimer"] as? Bool == true)
        #expect(request.members["because"] == nil)
    }

    @Test("asks for no date with the policy never, and gets none")
    func never() async throws {
        let reporter = router.reporter()
        #expect(
            try await reporter.report(
                timelineOf: "w1",
                entries: [now],
                policy: .never,
                because: .intent
            ) == nil
        )
        let members = try #require(router.requests.first).members
        #expect(members["policy"] as? String == "never")
        #expect(members["because"] as? String == "intent")
        #expect(members["ownTimer"] as? Bool == false)
    }

    @Test("never asks for a date before the policy's, not by a part of a millisecond")
    func rounding() async throws {
        try await router.reporter().report(
            timelineOf: "w1",
            entries: [],
            policy: .after(now + 0.000_1)
        )
        let members = try #require(router.requests.first).members
        #expect((members["policy"] as? [String: Int])?["after"] == 1_795_000_000_001)
    }

    @Test("says that a date was the reason, once that of the last timeline has come")
    func because() async throws {
        for step in [scheduled(100), scheduled(100), scheduled(300)] { router.next(step) }
        // Another process each time: what is remembered is in the storage.
        let report = { @Sendable [router, now] in
            _ = try await router.reporter().report(
                timelineOf: "w1",
                entries: [now],
                policy: .atEnd
            )
        }
        try await report()
        router.pass(.seconds(99))
        try await report()
        router.pass(.seconds(1))
        try await report()
        try await report()
        let reasons = router.requests.map { $0.members["because"] as? String }
        #expect(reasons == [nil, nil, "date", nil])
    }

    @Test("is for all widgets that look the same, and returns their latest date")
    func alike() async throws {
        let widgets = (1...4).map { number in
            ReportedWidget(
                id: "w\(number)",
                kind: number == 4 ? "other" : elf.kind,
                family: number == 3 ? "systemLarge" : "systemSmall",
                configuration: ["character": "elf-42"]
            )
        }
        let reporter = router.reporter()
        try await reporter.register(widgets)
        router.next(scheduled(700), scheduled(600))
        let date = try await reporter.report(
            timelineOfKind: elf.kind,
            family: "systemSmall",
            configuration: ["character": "elf-42", "none": nil],
            entries: [now],
            policy: .atEnd
        )
        #expect(date == now + 700)
        let named = router.requests.dropFirst().map { $0.members["widget"] as? String }
        #expect(named == ["w1", "w2"])
        #expect(await reporter.widgets(ofKind: elf.kind).map(\.id) == ["w1", "w2", "w3"])
        await #expect(throws: ReportError.notRegistered) {
            try await reporter.report(timelineOfKind: elf.kind, entries: [], policy: .never)
        }
    }

    @Test("does not make a provider wait for long")
    func patience() async throws {
        let steps = (0..<50).map { _ in FakeSystem.Step.fail(.cannotConnectToHost) }
        router.change { $0.steps = steps }
        await #expect(throws: ReportError.self) {
            try await router.reporter().report(timelineOf: "w1", entries: [], policy: .never)
        }
        #expect(router.pauses == [0.5, 1, 2, 4].map(Duration.seconds))
    }

    @Test(
        "brings the registration first if the router has lost it",
        arguments: ["device-unknown", "widget-unknown"]
    )
    func lost(code: String) async throws {
        let reporter = router.reporter()
        try await reporter.register([elf])
        router.next(.problem(404, code), .answer(200), scheduled(60))
        let date = try await reporter.report(timelineOf: "w1", entries: [now], policy: .atEnd)
        #expect(date == now + 60)
        let resources = router.requests.map(\.resource)
        #expect(resources == ["widgets", "timelines", "widgets", "timelines"])
        // It is not repeated for ever.
        router.next(.problem(404, code), .answer(200), .problem(404, code))
        await #expect(throws: ReportError.self) { try await reporter.update(visible: ["w1"]) }
        #expect(router.requests.count == 7)
    }

    @Test("comes after a registration that is not confirmed, unless that is refused for good")
    func unconfirmed() async throws {
        let reporter = router.reporter()
        try reporter.remember([elf])
        try await reporter.update(foreground: true)
        try reporter.remember([])
        router.next(.problem(404, "kind-unknown"))
        try await reporter.update(foreground: false)
        #expect(router.requests.map(\.resource) == ["widgets", "state", "widgets", "state"])
        for _ in 0..<50 { router.next(.fail(.cannotConnectToHost)) }
        await #expect(throws: ReportError.self) {
            try await router.reporter().report(timelineOf: "w1", entries: [], policy: .never)
        }
        #expect(router.pauses == [0.5, 1, 2, 4].map(Duration.seconds))
        #expect(router.requests.dropFirst(4).allSatisfy { $0.resource == "widgets" })
    }

    @Test("brings no registration if there is none, or if the app has no widgets")
    func nothing() async throws {
        for _ in 0..<2 {
            router.next(.problem(404, "device-unknown"))
            await #expect(throws: ReportError.self) { try await router.reporter().request() }
            try await router.reporter().register([])
        }
        #expect(router.requests.map(\.resource) == ["requests", "widgets", "requests"])
    }

    @Test("is an error if the answer is none of a router")
    func strange() async throws {
        router.next(.answer(200, "<html>"))
        await #expect {
            try await router.reporter().report(timelineOf: "w1", entries: [], policy: .atEnd)
        } throws: { error in
            guard case ReportError.answerInvalid = error else { return false }
            return true
        }
    }

    @Test("names what has changed about the device, and nothing else")
    func state() async throws {
        let reporter = router.reporter()
        try await reporter.update(foreground: true)
        try await reporter.update(media: .silent)
        try await reporter.update(media: .audio, visible: ["w1"], hasMovedSignificantly: true)
        let bodies = router.requests.map(\.body)
        #expect(bodies[0] == #"{"foreground":true}"#)
        #expect(bodies[1] == #"{"media":null}"#)
        let members = router.requests[2].members
        #expect(members["media"] as? String == "audio")
        #expect(members["visible"] as? [String] == ["w1"])
        #expect(members["location"] as? String == "significant-change")
        #expect(members.count == 3)
    }

    @Test("says again that its app is in the foreground until it no longer is")
    func repetition() async throws {
        let reporter = router.reporter()
        try await reporter.update(foreground: true, visible: ["w1"])
        for count in 2...4 {
            router.endRepetitionPause()
            while router.requests.count < count { await Task.yield() }
        }
        #expect(router.requests.dropFirst().allSatisfy { $0.body == #"{"foreground":true}"# })
        try await reporter.update(foreground: false)
        router.endRepetitionPause()
        try await reporter.update(visible: [])
        let bodies = router.requests.suffix(2).map(\.body)
        #expect(bodies == [#"{"foreground":false}"#, #"{"visible":[]}"#])
    }

    @Test("requests reloads of a kind or of all, and says why")
    func request() async throws {
        let reporter = router.reporter()
        try await reporter.request()
        try await reporter.request(kind: "k", isDownload: true)
        #expect(router.requests[0].body == "{}")
        #expect(
            router.requests[1].members as? [String: String] == ["kind": "k", "because": "download"]
        )
    }

    @Test(
        "requests a reload again if the first request cannot have left",
        arguments: [
            URLError.Code.cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .secureConnectionFailed,
        ]
    )
    func unsent(code: URLError.Code) async throws {
        router.next(.fail(code))
        try await router.reporter().request()
        #expect(router.requests.count == 2)
    }

    @Test(
        "does not request a second reload if the router may have the first request",
        arguments: [URLError.Code.networkConnectionLost, .timedOut]
    )
    func doubtful(code: URLError.Code) async throws {
        router.next(.fail(code))
        await #expect(throws: ReportError.self) { try await router.reporter().request() }
        router.next(.problem(503, "store-failing"))
        await #expect(throws: ReportError.self) { try await router.reporter().request() }
        router.next(.answer(502, "<html>"))
        await #expect(throws: ReportError.self) { try await router.reporter().request() }
        #expect(router.requests.count == 3)
        router.next(.fail(.cannotConnectToHost), .problem(503, "busy"))
        try await router.reporter().request()
        #expect(router.requests.count == 6)
    }
}
