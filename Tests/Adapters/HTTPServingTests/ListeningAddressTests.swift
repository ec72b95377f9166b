import HTTPServing
import TestSupport
import Testing

@Suite("Addresses to listen on")
struct ListeningAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:7411"), ("localhost", "127.0.0.1:7411"),
        ("127.255.1.2", "127.255.1.2:7411"),
        ("0.0.0.0", "0.0.0.0:7411"), ("10.1.2.3", "10.1.2.3:7411"), ("::1", "[::1]:7411"),
        ("0:0::1", "[::1]:7411"), ("::", "[::]:7411"), ("*", "[::]:7411"),
        ("fd00::a:1", "[fd00::a:1]:7411"),
    ])
    func `An address is written as it is in a URL`(host: String, description: String) {
        #expect(ListeningAddress(host: host, port: 7_411)?.description == description)
    }

    @Test(arguments: ["", "example.com", "127.0.0.1 ", "127.1", "[::1]", "::g", "fe80::1%eth0"])
    func `Names and what is no address are refused`(host: String) {
        #expect(ListeningAddress(host: host, port: 7_411) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.1.2", true), ("localhost", true), ("::1", true),
        ("0.0.0.0", false), ("128.0.0.1", false), ("1.0.0.127", false), ("::", false),
        ("::2", false), ("100::1", false), ("::ffff:127.0.0.1", false), ("*", false),
    ])
    func `Loopback is what only this machine reaches`(host: String, isLoopback: Bool) {
        #expect(ListeningAddress(host: host, port: 1)?.isLoopback == isLoopback)
    }

    @Test(arguments: ["0.0.0.0", "*", "::1"])
    func `Any address is bound, and its port is reported`(host: String) throws {
        let handler = ClosureHandler { _, responder in responder.send(.text(200, lines: ["ok"])) }
        let server = try HTTPServer(ListeningAddress(host: host, port: 0)!, handler: handler)
        #expect(server.address.port != 0)
        if host == "::1" { return }
        // Also over IPv4.
        let client = TestClient(server.address)
        client.get("/")
        #expect(client.answer()?.body == "ok\n")
    }
}
