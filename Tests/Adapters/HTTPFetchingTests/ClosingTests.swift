import HTTPFetching
import LibuvLoop
import Testing

@Suite("Closing an HTTP client")
struct ClosingTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `Closing ends what is under way and what waits, in another tick`() throws {
        let stage = try FetchStage { $0.connections = 2 }
        for _ in 0..<5 { stage.get(stage.url) }
        try stage.run { stage.requestCount == 2 }
        let client = try #require(stage.client)
        client.close()
        client.close()
        #expect(stage.outcomes == [])
        #expect(client.inFlightCount == 0 && client.waitingCount == 0)
        stage.get(stage.url)
        try stage.run { stage.outcomes.count >= 6 }
        #expect(stage.outcomes == Array(repeating: .failure(.closed), count: 6))
        try stage.end()
    }

    @Test func `A client that is dropped ends its requests`() throws {
        let stage = try FetchStage { $0.connections = 1 }
        for _ in 0..<3 { stage.get(stage.url) }
        try stage.run { stage.requestCount == 1 }
        stage.dropClient()
        try stage.run { stage.outcomes.count == 3 }
        #expect(stage.outcomes == Array(repeating: .failure(.closed), count: 3))
        try stage.end()
    }

    @Test func `A client that is dropped is freed at once, also inside of a completion`() throws {
        for isDroppedInside in [false, true] {
            let stage = try FetchStage()
            weak let client = stage.client
            stage.whenAsked = { connection, _ in connection.say(Self.ok) }
            var isFreedAfterOutcome = false
            stage.client?.get(stage.url) { _ in
                if isDroppedInside { stage.dropClient() }
                isFreedAfterOutcome = true
            }
            #expect(client != nil)
            if !isDroppedInside { stage.dropClient() }
            try stage.run { isFreedAfterOutcome && client == nil }
            try stage.end()
        }
    }

    @Test func `A completion may ask again, and close`() throws {
        let stage = try FetchStage()
        stage.whenAsked = { connection, _ in connection.say(Self.ok) }
        let client = try #require(stage.client)
        let url = stage.url
        var rounds = 0
        var closed = 0
        func next() {
            client.get(url) { outcome in
                guard case .success = outcome else {
                    closed += 1
                    return
                }
                rounds += 1
                next()
                if rounds == 10 { client.close() }
            }
        }
        for _ in 0..<2 { next() }
        try stage.run { closed == 2 }
        #expect(rounds >= 10)
        try stage.end()
    }
}
