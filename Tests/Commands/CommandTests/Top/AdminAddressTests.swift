import AdminClient
import Testing

@testable import reload_router

@Suite("The address of an admin server")
struct AdminAddressTests {
    @Test(
        "is followed by each request's path after exactly one slash",
        arguments: [
            ("http://127.0.0.1:7411", "/v1/status"), ("http://host/", "/v1/status"),
            ("http://host//", "/v1/status"), ("http://host/router", "/router/v1/status"),
            ("http://host/router/", "/router/v1/status"),
            ("http://host/a/router///", "/a/router/v1/status"),
        ]
    )
    func prefixes(server: String, path: String) throws {
        #expect(try AdminAddress(server).question("/v1/status").path == path)
    }

    @Test(
        "may be a host, a port of this machine, or both",
        arguments: [
            ("24010", "http://localhost:24010"), ("host", "http://host:7411"),
            ("host:80", "http://host:80"), ("[::1]:7411", "http://[::1]:7411"),
            ("http://host/router/", "http://host:80/router"),
        ]
    )
    func shortForms(server: String, url: String) throws {
        #expect("\(try AdminAddress(server))" == url)
    }

    @Test(
        "is refused if it is none",
        arguments: [
            "", "host/path", "http://", "http:///", "https://host", "http://:80", "http://a b",
            "70000", "ftp://host",
        ]
    )
    func refusals(server: String) {
        #expect(throws: (any Error).self) { try AdminAddress(server) }
    }
}
