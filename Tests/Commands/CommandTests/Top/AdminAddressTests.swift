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
        "is refused if it is none",
        arguments: ["", "host", "http://", "http:///", "https://host", "http://:80", "http://a b"]
    )
    func refusals(server: String) {
        #expect(throws: (any Error).self) { try AdminAddress(server) }
    }
}
