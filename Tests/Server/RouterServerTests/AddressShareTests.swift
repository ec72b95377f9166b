import Basics
import LibuvLoop
import Testing

@testable import RouterServer

@Suite("Shares of addresses")
struct AddressShareTests {
    private func network(_ host: String) throws -> PeerNetwork {
        let loop = try Loop()
        defer { try? loop.close() }
        return try SocketAddress.resolve(host: host, port: 1, loop: loop)[0].network
    }

    private func limits(_ change: (inout RouterLimits) -> Void) -> RouterLimits {
        var limits = RouterLimits()
        limits.connections = 40
        limits.connectionsAwaitingHello = 16
        change(&limits)
        return limits
    }

    @Test func `One address has a quarter of the connections, and others have theirs beside it`()
        throws
    {
        var shares = AddressShares(limits { _ in })
        let (greedy, other) = (try network("192.0.2.1"), try network("192.0.2.2"))
        for _ in 0..<10 {
            #expect(shares.open(greedy) == nil)
            shares.welcomed(greedy)
        }
        #expect(shares.open(greedy)?.contains("10 connections of this address") == true)
        #expect(shares.open(other) == nil)
        shares.closed(greedy, hadSession: true)
        #expect(shares.open(greedy) == nil)
    }

    @Test func `Of those that say nothing one address has a quarter, too`() throws {
        var shares = AddressShares(limits { $0.connectionsPerAddress = 30 })
        let address = try network("192.0.2.1")
        for _ in 0..<4 { #expect(shares.open(address) == nil) }
        #expect(shares.open(address)?.contains("HELLO") == true)
        shares.welcomed(address)
        #expect(shares.open(address) == nil)
        shares.closed(address, hadSession: false)
        #expect(shares.open(address) == nil)
    }

    @Test func `This machine itself has all of them, unless it is said how many`() throws {
        for host in ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"] {
            let own = try network(host)
            var shares = AddressShares(limits { _ in })
            for _ in 0..<100 { #expect(shares.open(own) == nil) }
            shares = AddressShares(limits { $0.connectionsPerAddress = 2 })
            #expect(shares.open(own) == nil && shares.open(own) == nil)
            #expect(shares.open(own) != nil)
        }
    }

    @Test func `An IPv6 network of 64 bits is one party`() throws {
        #expect(try network("2001:db8:1:2::5") == network("2001:db8:1:2:ffff::7"))
        #expect(try network("2001:db8:1:2::5") != network("2001:db8:1:3::5"))
        #expect(try network("::ffff:192.0.2.1") == network("192.0.2.1"))
        #expect(try network("192.0.2.1") != network("192.0.2.2"))
        #expect(try !network("::2").isLoopback && !network("10.0.0.1").isLoopback)
    }

    @Test func `Nothing is kept of an address whose connections have gone`() throws {
        var shares = AddressShares(limits { _ in })
        for number in 1...200 {
            let address = try network("192.0.2.\(number)")
            #expect(shares.open(address) == nil)
            shares.welcomed(address)
            shares.closed(address, hadSession: true)
        }
        #expect(shares.isEmpty)
    }
}
