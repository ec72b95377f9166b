import APNsConnections
import Basics
import Cryptography
import FrameCodec
import Glibc
import LibuvLoop
import Logging
import RouterCore
import Testing

@testable import RouterServer

/// What listens in place of APNs, says nothing, and never waits: what the other side has passed to
/// the kernel is here at once.
private final class SilentService {
    private let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    private var connection: CInt = -1
    let port: UInt16
    /// `MSG_DONTWAIT`.
    private static let doesNotWait: CInt = 0x40

    init() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = listen(listener, 1)
                _ = getsockname(listener, $0, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        if connection >= 0 { close(connection) }
        close(listener)
    }

    /// How many bytes have come since the last call.
    func receive() -> Int {
        if connection < 0 { connection = accept(listener, nil, nil) }
        if connection < 0 { return 0 }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        return max(0, recv(connection, &buffer, buffer.count, Self.doesNotWait))
    }
}

@Suite("Delivery by APNs")
struct APNsDeliveryTests {
    private struct NoCertificate: Error {}

    /// A router with a device that has no session, and a reload for it.
    private func router() throws -> VirtualRouter {
        let text = #"""
            {"apps":[{"app":"game","publishers":"open","devices":"open",
              "apns":{"team":"ABCDE12345","key":"KEY0000001","bundle":"com.game"},
              "kinds":[{"kind":"detail","match":{"character":["${configuration.character}"]}}]}]}
            """#
        let file = try Array(text.utf8).withByteView { (bytes) throws(AppFileError) in
            try AppFile.parse(bytes)
        }
        let start = Instant(
            monotonic: MonotonicTime(rawValue: 1_000),
            wall: WallTime(rawValue: 1_800_000_000_000)
        )
        let driver = VirtualRouter(file.catalog, limits: RouterLimits(), seed: 1, now: start)
        let (device, publisher) = (ConnectionSlot(index: 0), ConnectionSlot(index: 1))
        driver.open(
            device,
            with: HelloMessage(role: .device, app: "game", token: nil, name: "phone")
        )
        let widgets = #"""
            {"device":"phone","pushToken":"c0ffee","widgets":[
              {"id":"w","kind":"detail","configuration":{"character":"elf"}}]}
            """#
        driver.receive(encodeFrame(.widgets, seq: 1, body: Array(widgets.utf8)), on: device)
        driver.settle()
        driver.close(device)
        driver.open(
            publisher,
            with: HelloMessage(role: .publisher, app: "game", token: nil, name: "server")
        )
        let push = Array(#"{"character":"elf"}"#.utf8)
        driver.receive(encodeFrame(.push, seq: 1, body: push), on: publisher)
        driver.settle()
        // The grace, and whatever else a reload may wait for.
        for _ in 0..<60 {
            driver.advance(.minutes(1))
            driver.settle()
        }
        return driver
    }

    @Test func `makes a push before the records of its tick are submitted, and sends it after`()
        throws
    {
        let (loop, service, driver) = (try Loop(), SilentService(), try router())
        let target = APNsTarget(host: "127.0.0.1", port: service.port, security: nil)
        let key = try TestKeys.make()
        let delivery = APNsDelivery(
            loop,
            settings: APNsDelivery.Settings(
                production: target,
                sandbox: target,
                folder: "keys",
                readKey: { _ in key },
                readCertificate: { _ in throw NoCertificate() }
            ),
            logger: Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() }),
            mailbox: LoopMailbox()
        )
        delivery.readAgain(for: driver.router)
        // A push that has no connection yet makes the delivery open one.
        var greeting = 0
        for _ in 0..<1_000 where greeting == 0 {
            delivery.serve(&driver.router, at: driver.now, isDraining: false)
            delivery.flush(&driver.router)
            try loop.tick(waits: true)
            greeting = service.receive()
        }
        let madeBefore = driver.router.counters.pushes.made
        #expect(greeting > 0 && madeBefore == 0)

        delivery.serve(&driver.router, at: driver.now, isDraining: false)
        let made = driver.router.counters.pushes.made
        #expect(made == 1 && delivery.isBusy)
        #expect(service.receive() == 0, "the push has left with `serve`")
        delivery.flush(&driver.router)
        #expect(service.receive() > 0, "the push has not left with `flush`")

        delivery.close()
        try loop.run()
        try loop.close()
    }
}
