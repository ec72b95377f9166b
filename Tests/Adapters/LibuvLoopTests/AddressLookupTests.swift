import LibuvLoop
import Testing

/// Who is told what lookups have found.
private final class Asker: LookupOwner {
    private(set) var found: [Result<[SocketAddress], UVError>] = []

    func lookup(_ lookup: AddressLookup, found addresses: Result<[SocketAddress], UVError>) {
        lookup.close()
        found.append(addresses)
    }
}

@Suite("A lookup")
struct AddressLookupTests {
    private let loop: Loop
    private let asker = Asker()

    init() throws { loop = try Loop() }

    private func look(_ host: String) throws -> AddressLookup {
        try AddressLookup(loop, host: host, port: 7410, owner: asker)
    }

    @Test("reports the addresses of a name, in a later tick and once")
    func found() throws {
        // The system's resolver knows this form of 127.0.0.1, without asking anybody.
        #expect(SocketAddress.withoutLookup(host: "127.1", port: 7410) == nil)
        let lookup = try look("127.1")
        #expect(asker.found.isEmpty)
        try withExtendedLifetime(lookup) { try loop.run() }
        #expect(asker.found.count == 1)
        let addresses = try #require(asker.found.first).get()
        #expect(addresses.map(\.description) == ["127.0.0.1:7410"])
        try loop.close()
    }

    @Test("reports why a name has no addresses, also after its owner is gone")
    func unknown() throws {
        _ = try look("256.1.1.1.invalid")
        try loop.run()
        #expect(asker.found.count == 1)
        #expect(throws: UVError.self) { try asker.found.first?.get() }
        try loop.close()
    }

    @Test("that is closed reports nothing, whether a thread has begun with it or not")
    func closed() throws {
        // More than libuv has threads.
        for lookup in try (0..<16).map({ _ in try look("127.1") }) {
            lookup.close()
            lookup.close()
        }
        try loop.run()
        #expect(asker.found.isEmpty)
        try loop.close()
    }

    @Test("of what cannot be a name is refused")
    func impossible() throws {
        let host = String(repeating: "a", count: 5_000)
        #expect(throws: UVError.self) { _ = try look(host) }
        try loop.run()
        #expect(asker.found.isEmpty)
        try loop.close()
    }
}
