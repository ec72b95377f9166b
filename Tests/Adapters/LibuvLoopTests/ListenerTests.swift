import Basics
import Glibc
import LibuvLoop
import Testing

@Suite("Listening")
struct ListenerTests {
    @Test("Port 0 becomes the port that the kernel picked")
    func port() throws {
        let stage = try Stage()
        #expect(stage.address.port != 0)
        #expect(stage.address.description == "127.0.0.1:\(stage.address.port)")
        try stage.end()
    }

    @Test("IPv4 and IPv6 can be listened on at the same port")
    func bothFamilies() throws {
        let stage = try Stage("0.0.0.0")
        let any = try SocketAddress.resolve(host: "::", port: stage.address.port, loop: stage.loop)
        let second = try TCPListener(stage.loop, address: any[0], owner: stage.server)
        #expect(second.localAddress.port == stage.address.port)
        second.close()
        try stage.end()
    }

    @Test("A listener for all addresses of IPv6 can include those of IPv4")
    func dualStack() throws {
        let stage = try Stage()
        let any = try SocketAddress.resolve(host: "::", port: 0, loop: stage.loop)[0]
        let both = try TCPListener(
            stage.loop,
            address: any,
            includesIPv4: true,
            owner: stage.server
        )
        let peer = try RawPeer(port: both.localAddress.port)
        try stage.run { stage.server.connections.count == 1 }
        let network = SocketAddress.withoutLookup(host: "127.0.0.1", port: 1)![0].network
        #expect(stage.server.connections[0].remoteNetwork == network)
        let address = try #require(stage.server.connections[0].remoteSocketAddress)
        #expect(address.isIPv6 && address.bytes.count == 28)
        peer.close()
        both.close()
        try stage.end()
    }

    @Test("An address in use is an error that leaves no handle behind")
    func addressInUse() throws {
        let stage = try Stage()
        let before = stage.loop.handleCount
        let error = #expect(throws: UVError.self) {
            _ = try TCPListener(stage.loop, address: stage.address, owner: stage.server)
        }
        #expect(error?.name == "EADDRINUSE")
        try stage.runTicks(2)
        #expect(stage.loop.handleCount == before)
        try stage.end()
    }

    @Test("Many peers are accepted, each with its own address")
    func many() throws {
        let stage = try Stage()
        var peers: [RawPeer] = []
        for _ in 0..<100 { peers.append(try RawPeer(port: stage.address.port)) }
        try stage.run { stage.server.connections.count == 100 }
        #expect(Set(stage.server.connections.map(\.remoteAddress)).count == 100)
        for peer in peers { peer.close() }
        try stage.run { stage.server.count(.closed) == 100 }
        try stage.end()
    }

    @Test("A listener may accept although its loop does not, and the other way round")
    func acceptsByItself() throws {
        let stage = try Stage()
        stage.loop.accepts = false
        stage.listener?.accepts = true
        let (first, _) = try stage.accept()
        stage.loop.accepts = true
        stage.listener?.accepts = false
        let second = try RawPeer(port: stage.address.port)
        try stage.runTicks()
        #expect(stage.server.connections.count == 1)
        stage.listener?.accepts = nil
        stage.listener?.acceptWaiting()
        try stage.run { stage.server.connections.count == 2 }
        first.close()
        second.close()
        try stage.end()
    }

    @Test("A closed listener accepts no connection, and its open connections stay")
    func closed() throws {
        let stage = try Stage()
        let port = stage.address.port
        let (peer, _) = try stage.accept()
        stage.listener?.close()
        stage.listener?.close()
        try stage.runTicks(2)
        let failure = #expect(throws: RawPeer.ConnectFailure.self) { try RawPeer(port: port) }
        #expect(failure?.code == ECONNREFUSED)
        try peer.send([1])
        try stage.run { stage.server.bytes == [1] }
        try stage.end()
    }
}

@Suite("Socket addresses")
struct SocketAddressTests {
    @Test(
        "A host becomes its addresses",
        arguments: [
            ("127.0.0.1", ["127.0.0.1:7410"]), ("::1", ["[::1]:7410"]),
            ("localhost", ["127.0.0.1:7410", "[::1]:7410"]),
            ("*", ["0.0.0.0:7410", "[::]:7410"]),
            ("fe80::1", ["[fe80::1]:7410"]), ("255.255.255.255", ["255.255.255.255:7410"]),
        ]
    )
    func resolve(host: String, expected: [String]) throws {
        let loop = try Loop()
        let addresses = try SocketAddress.resolve(host: host, port: 7410, loop: loop)
        #expect(addresses.map(\.description).sorted() == expected.sorted())
        #expect(addresses.allSatisfy { $0.port == 7410 })
        #expect(addresses.allSatisfy { $0.isIPv6 == $0.description.hasPrefix("[") })
        try loop.close()
    }

    @Test(
        "A host that is no address and no name is an error",
        arguments: ["", "256.1.1.1.invalid"]
    )
    func unknown(host: String) throws {
        let loop = try Loop()
        #expect(throws: UVError.self) {
            _ = try SocketAddress.resolve(host: host, port: 1, loop: loop)
        }
        try loop.close()
    }

    @Test("An address takes another port")
    func port() throws {
        let loop = try Loop()
        let address = try SocketAddress.resolve(host: "::1", port: 1, loop: loop)[0]
        #expect(address.with(port: 65_535).description == "[::1]:65535")
        try loop.close()
    }
}
