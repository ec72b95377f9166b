import LibuvLoop
import Testing

struct EndpointTests {
    @Test("Endpoints are a host, a host and a port, or an IPv6 address in brackets")
    func forms() {
        #expect(Endpoint("localhost")?.port == 7_410)
        #expect(Endpoint("localhost", defaultPort: 80)?.port == 80)
        #expect(Endpoint("h:1") == Endpoint(host: "h", port: 1))
        #expect(Endpoint("[::1]:9") == Endpoint(host: "::1", port: 9))
        #expect(Endpoint("[::1]") == Endpoint(host: "::1", port: 7_410))
        #expect(Endpoint("::1")?.host == "::1")
        #expect(Endpoint("[::1]:9")?.description == "[::1]:9")
        #expect(Endpoint("h:1")?.description == "h:1")
    }

    @Test("Digits alone are a port of this machine")
    func portAlone() {
        #expect(Endpoint("24010") == Endpoint(host: "localhost", port: 24_010))
        #expect(Endpoint(listening: "24010") == Endpoint(host: "localhost", port: 24_010))
    }

    @Test(arguments: ["h:x", "h:", "65536", "h:-1", "h:65536", "h:70000", "[::1]:70000"])
    func `A port is a number up to 65535`(text: String) {
        #expect(Endpoint(text) == nil)
        #expect(Endpoint(listening: text) == nil)
    }

    @Test(arguments: ["", ":1", "[]:1"])
    func `Without a host it is where to listen, and not where to connect`(text: String) {
        #expect(Endpoint(listening: text)?.host == "*")
        #expect(Endpoint(text) == nil)
    }

    @Test func `What is none is reported with what it was given for and an example`() {
        #expect(
            Endpoint.problem("h:x", of: "--to")
                == "--to is h:x; it must be HOST:PORT, such as localhost:7410, or a port of "
                + "this machine"
        )
    }
}
