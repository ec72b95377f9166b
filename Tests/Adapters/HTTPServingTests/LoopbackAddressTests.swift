import Testing

@testable import HTTPServing

@Suite("Which addresses a server takes")
struct LoopbackAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:7411"), ("127.255.1.2", "127.255.1.2:7411"),
        ("localhost", "127.0.0.1:7411"), ("::1", "[::1]:7411"), ("0:0::1", "[::1]:7411"),
    ])
    func loopback(host: String, description: String) {
        #expect(LoopbackAddress(host: host, port: 7_411)?.description == description)
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "128.0.0.1", "1.0.0.127", "::", "::2", "::ffff:127.0.0.1", "*", "",
        "example.com", "127.0.0.1 ",
    ])
    func everythingElseIsRefused(host: String) {
        #expect(LoopbackAddress(host: host, port: 7_411) == nil)
    }
}
