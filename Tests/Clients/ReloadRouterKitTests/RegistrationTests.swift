import Foundation
import ReloadRouterKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A registration")
struct RegistrationTests {
    let router = FakeSystem()

    @Test("is the body of WIDGETS, with all widgets and the push token")
    func body() async throws {
        let orc = ReportedWidget(
            id: "w2",
            kind: "k",
            configuration: [
                "level": 3, "share": 0.5, "isShown": true, "names": ["a", "b"], "none": nil,
                "guild": .init("g" as String?), "chosen": .init(nil as String?),
            ]
        )
        let token = Data([0x00, 0x7f, 0xfa])
        #expect(
            try await router.reporter().register(
                [elf, orc],
                pushToken: token,
                environment: .sandbox
            )
        )
        let request = try #require(router.requests.first)
        let device = "https://router.example:7412/v1/apps/com%2Emygame/devices/d-1"
        #expect(request.line == "PUT \(device)/widgets")
        #expect(request.token == "Bearer token-1")
        let expected = """
            {"pushToken":"007ffa","environment":"sandbox","widgets":[
            {"id":"w1","kind":"com.mygame.character-detail","family":"systemSmall",
             "configuration":{"character":"elf-42"}},
            {"id":"w2","kind":"k","configuration":{"level":3,"share":0.5,"isShown":true,
             "names":["a","b"],"guild":"g"}}]}
            """
        #expect(try same(request.body, expected))
    }

    @Test("sends the app's own token, and those of controls")
    func furtherTokens() async throws {
        let lamp = ReportedWidget(id: "c1", kind: "lamp", pushToken: Data([0xc1]))
        let reporter = router.reporter()
        try await reporter.register([lamp], appPushToken: Data([0xab]), environment: .sandbox)
        let expected = """
            {"appPushToken":"ab","environment":"sandbox","widgets":[
            {"id":"c1","kind":"lamp","configuration":{},"pushToken":"c1"}]}
            """
        #expect(try same(router.requests[0].body, expected))
        // The app's token stays when the widgets get one.
        try await reporter.register([lamp], pushToken: Data([0x01]), environment: .sandbox)
        let members = router.requests[1].members
        #expect(
            members["appPushToken"] as? String == "ab" && members["pushToken"] as? String == "01"
        )
    }

    private func same(_ left: String, _ right: String) throws -> Bool {
        let parts = try [left, right].map { text in
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        }
        return parts[0] == parts[1]
    }

    @Test("is not sent again by any process while nothing changes, and is when it is a day old")
    func age() async throws {
        let app = router.reporter()
        let widgetExtension = router.reporter()
        #expect(try await app.register([elf], pushToken: Data([1])))
        #expect(try await !app.register([elf], pushToken: Data([1])))
        #expect(try await !widgetExtension.register([elf], pushToken: Data([1])))
        router.pass(.seconds(86_399))
        #expect(try await !widgetExtension.refresh())
        router.pass(.seconds(1))
        #expect(try await app.refresh())
        #expect(try await !widgetExtension.refresh())
        #expect(router.requests.count == 2)
    }

    @Test("is sent again when another process has registered something else since")
    func alternating() async throws {
        let app = router.reporter()
        let widgetExtension = router.reporter()
        let orc = ReportedWidget(id: "w2", kind: "k")
        for _ in 0..<2 {
            #expect(try await app.register([elf]))
            #expect(try await widgetExtension.register([orc]))
        }
        #expect(try await !app.refresh())
        #expect(router.requests.count == 4)
    }

    @Test("is not sent for ever if its storage forgets", .timeLimit(.minutes(1)))
    func forgetful() async throws {
        router.change { $0.forgets = "confirmed" }
        #expect(try await router.reporter().register([elf]))
        #expect(router.requests.count == 4)
    }

    @Test("is sent once a call even if it is old at once, or if the clock is set back")
    func noAge() async throws {
        var limits = ReportLimits()
        limits.registrationAge = .zero
        let reporter = router.reporter(limits: limits)
        #expect(try await reporter.register([elf]))
        #expect(try await reporter.refresh())
        #expect(router.requests.count == 2)
        router.change { $0.date -= 1_000 }
        #expect(try await router.reporter().refresh())
        #expect(router.requests.count == 3)
    }

    @Test("is sent again when a widget, the token, the service, the device or the router changes")
    func changes() async throws {
        let reporter = router.reporter()
        #expect(try await reporter.register([elf], pushToken: Data([1])))
        #expect(try await reporter.register([elf], pushToken: Data([2])))
        #expect(try await reporter.register([elf], pushToken: Data([2]), environment: .sandbox))
        let other = ReportedWidget(id: "w1", kind: elf.kind, configuration: ["character": "orc"])
        #expect(try await reporter.register([other]))
        #expect(try await router.reporter(device: "d-2").refresh())
        #expect(try await router.reporter(device: "d-2", url: "https://other.example").refresh())
        #expect(router.requests.count == 6)
    }

    @Test("of a process that knows no token keeps the token of another one")
    func keptToken() async throws {
        try await router.reporter().register([elf], pushToken: Data([7]), environment: .sandbox)
        #expect(try await router.reporter().register([]))
        let members = try #require(router.requests.last).members
        #expect(members["pushToken"] as? String == "07")
        #expect(members["environment"] as? String == "sandbox")
        #expect((members["widgets"] as? [Any])?.isEmpty == true)
    }

    @Test("that was refused or not answered is sent by the next process")
    func remembered() async throws {
        router.next(.problem(400, "body-invalid"))
        await #expect(throws: ReportError.self) { try await router.reporter().register([elf]) }
        #expect(try await router.reporter().refresh())
        #expect(router.requests.map(\.body)[0] == router.requests.map(\.body)[1])
    }

    @Test("is sent by another process than the one that only remembers it")
    func rememberedOnly() async throws {
        try router.reporter().remember([elf], pushToken: Data([9]))
        #expect(router.requests.isEmpty)
        #expect(try await router.reporter().refresh())
        #expect(router.requests[0].members["pushToken"] as? String == "09")
    }

    @Test("is sent once more if another process has stored another one in the meantime")
    func overtaken() async throws {
        let orc = ReportedWidget(id: "w2", kind: "k")
        let router = router
        router.change { state in
            state.meanwhile = {
                // Only the first request is overtaken.
                router.change { $0.meanwhile = nil }
                _ = try? await router.reporter(token: { throw URLError(.badURL) }).register([orc])
            }
        }
        #expect(try await router.reporter().register([elf]))
        #expect(router.requests.count == 2)
        #expect(router.requests[1].body.contains("w2"))
        #expect(try await !router.reporter().refresh())
    }

    @Test("of several tasks at once is one request, and no two requests are under way together")
    func together() async throws {
        let reporter = router.reporter()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try? await reporter.register([elf]) } }
            for _ in 0..<20 { group.addTask { try? await reporter.update(foreground: true) } }
        }
        #expect(router.requests.filter { $0.resource == "widgets" }.count == 1)
        #expect(router.requests.count == 21)
        #expect(router.mostUnderWay == 1)
    }

    @Test("that cannot be remembered is not sent; one whose confirmation cannot be, once a process")
    func fullDisk() async throws {
        let router = router
        router.change { $0.isFull = true }
        await #expect { try await router.reporter().register([elf]) } throws: { error in
            guard case ReportError.storageFailing = error else { return false }
            return true
        }
        #expect(router.requests.isEmpty)
        router.change { $0.isFull = false }
        let reporter = router.reporter()
        router.change { state in
            state.meanwhile = { router.change { $0.isFull = true } }
        }
        #expect(try await reporter.register([elf]))
        #expect(try await !reporter.refresh())
        #expect(try await router.reporter().refresh())
        #expect(router.requests.count == 2)
    }

    @Test("needs no request before there is one")
    func nothing() async throws {
        #expect(try await !router.reporter().refresh())
        #expect(router.requests.isEmpty && router.tokenCount == 0)
    }

    @Test("that JSON cannot say is refused at once", arguments: [Double.nan, .infinity])
    func noNumber(number: Double) async throws {
        let widget = ReportedWidget(id: "w", kind: "k", configuration: ["n": .number(number)])
        await #expect { try await router.reporter().register([widget]) } throws: { error in
            guard case ReportError.invalid = error else { return false }
            return true
        }
        #expect(router.requests.isEmpty)
    }

    @Test("is remembered in a folder, and by an app group")
    func storages() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        let suite = "kit-tests-\(UUID())"
        defer {
            try? FileManager.default.removeItem(at: folder)
            UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
        }
        for storage in [ReportStorage.folder(folder), .appGroup(suite)] {
            let system = ReportSystem(
                transport: { request in
                    let answer = HTTPURLResponse(
                        url: request.url!,
                        statusCode: 200,
                        httpVersion: nil,
                        headerFields: nil
                    )
                    return (Data(), answer!)
                },
                now: { Date(timeIntervalSince1970: 0) },
                uptime: { .zero },
                sleep: { _ in },
                random: \.upperBound
            )
            for isNeeded in [true, false] {
                let reporter = DeviceReporter(
                    url: URL(string: "https://r")!,
                    app: "a",
                    device: "d",
                    storage: storage,
                    system: system,
                    token: { "t" }
                )
                #expect(try await reporter.register([elf]) == isNeeded)
            }
        }
    }
}
