import Basics
import HTTPServing
import Platform
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The admin server over sockets")
struct AdminServerTests {
    private let bearer = "Authorization: Bearer \(AdminStage.token)"

    private func start(_ stage: AdminStage) throws -> AdminServer {
        try AdminServer(ListeningAddress(host: "127.0.0.1", port: 0)!, resources: stage.resources)
    }

    @Test func `A body that comes byte by byte is understood`() throws {
        let stage = AdminStage(token: AdminStage.token)
        let server = try start(stage)
        let client = TestClient(server.address)
        let body = #"{"app":"a","payload":{"character":"elf-42"},"limit":3}"#
        let head = "POST /v1/explain HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\nContent-Length: "
        for byte in (head + "\(body.utf8.count)\r\n\r\n" + body).utf8 { client.send([byte]) }
        #expect(client.read(until: "}\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(stage.port.take() == [#"explain a {"character":"elf-42"} false - - 3"#])
        server.stop()
    }

    @Test func `A body of more than 8 MiB is refused, and what is right after it is served`()
        throws
    {
        let stage = AdminStage(token: AdminStage.token)
        let server = try start(stage)
        let client = TestClient(server.address)
        let count = (8 << 20) + 1
        let head = "PUT /v1/app-file HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n"
        client.send(head + "Content-Length: \(count)\r\n\r\n")
        client.send([UInt8](repeating: 0x20, count: count))
        #expect(client.read(until: "}\n").contains("\"code\":\"body-too-large\""))
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n\r\n")
        #expect(client.read(until: "ok\n").contains("200 OK"))
        server.stop()
    }

    @Test func `No other request waits for a request that the loop has not answered`() throws {
        let stage = AdminStage(port: FakePort { _ in nil }, token: AdminStage.token)
        let server = try start(stage)
        let waiting = (0..<20).map { _ in TestClient(server.address) }
        for client in waiting {
            client.send("GET /v1/apps HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n\r\n")
        }
        let client = TestClient(server.address)
        client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n\r\n")
        #expect(client.read(until: "ok\n").contains("200 OK"))
        server.stop()
    }

    @Test func `Viewers get the status once a second, made once for all`() throws {
        let snapshot = StatusSnapshot(patience: 60_000, freshness: -1)
        let status = RouterStatus(time: 0)
        let counter = Counter()
        snapshot.open {
            counter.add()
            _ = JoinableThread { snapshot.publish(status) }
        }
        defer { snapshot.close(status) }
        let stage = AdminStage(snapshot: snapshot, token: AdminStage.token)
        let server = try start(stage)
        #expect(counter.value == 0)
        let viewers = (0..<5).map { _ in TestClient(server.address) }
        for viewer in viewers {
            viewer.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n\r\n")
            let event = viewer.read(until: "}\n\n\r\n")
            #expect(event.contains("Content-Type: text/event-stream"))
            #expect(event.contains("event: status\ndata: {\"at\":"))
        }
        let begun = counter.value
        for viewer in viewers { #expect(viewer.read(until: "}\n\n\r\n").contains("event: status")) }
        // Once for all five, and not once for each.
        #expect(counter.value - begun <= 2)
        server.stop()
    }

    @Test func `While there is no status viewers are reported why`() throws {
        let server = try start(AdminStage(snapshot: StatusSnapshot(), token: AdminStage.token))
        let viewer = TestClient(server.address)
        viewer.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n\r\n")
        let event = viewer.read(until: "}\n\n\r\n")
        #expect(event.contains("event: problem\ndata: {\"type\":\"about:blank\""))
        #expect(event.contains("\"code\":\"loading\""))
        server.stop()
    }
}
