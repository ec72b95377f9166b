import ArgumentParser
import CommandSupport
import HTTPFetching
import Testing

@testable import reload_router

@Suite("The address of an admin server")
struct AdminAddressTests {
    private func address(_ server: String, _ flags: String...) throws -> AdminAddress {
        try AdminAddress(server, options: SecurityOptions.parse(flags))
    }

    @Test(
        "is followed by each request's path after exactly one slash",
        arguments: [
            ("http://127.0.0.1:7411", "/v1/status"), ("http://host/", "/v1/status"),
            ("https://host//", "/v1/status"), ("http://host/router", "/router/v1/status"),
            ("http://host/router/", "/router/v1/status"),
            ("https://host/a/router///", "/a/router/v1/status"),
        ]
    )
    func prefixes(server: String, path: String) throws {
        #expect(try address(server).question("/v1/status").target == path)
    }

    @Test(
        "may be a host, a port of this machine, or both; other hosts are asked with TLS",
        arguments: [
            ("24010", "http://localhost:24010"), ("host", "https://host:7411"),
            ("host:80", "https://host:80"), ("[::1]:7411", "http://[::1]:7411"),
            ("http://host/router/", "http://host:80/router"),
            ("https://host/router/", "https://host:443/router"),
            ("https://127.0.0.1:7411", "https://127.0.0.1:7411"),
        ]
    )
    func shortForms(server: String, url: String) throws {
        #expect("\(try address(server))" == url)
    }

    @Test("is with or without TLS as options say, unless it says so itself")
    func options() throws {
        #expect("\(try address("7411", "--tls"))" == "https://localhost:7411")
        #expect("\(try address("7411", "--insecure"))" == "https://localhost:7411")
        #expect("\(try address("host", "--plaintext"))" == "http://host:7411")
        #expect("\(try address("https://host", "--insecure"))" == "https://host:443")
        #expect("\(try address("http://host", "--plaintext"))" == "http://host:80")
        #expect(throws: (any Error).self) { try address("http://host", "--insecure") }
        #expect(throws: (any Error).self) { try address("https://host", "--plaintext") }
        #expect(throws: SettingsProblem.self) { try address("https://host", "--ca", "/none") }
        #expect(throws: SettingsProblem.self) { try address("https://host", "--ca", "/dev/null") }
    }

    @Test(
        "is refused if it is none",
        arguments: [
            "", "host/path", "http://", "http:///", "https://", "http://:80", "https://a b",
            "70000", "ftp://host",
        ]
    )
    func refusals(server: String) {
        #expect(throws: (any Error).self) { try address(server) }
    }
}
