import Basics
import Platform
import TestSupport
import Testing

@Suite("The environment of a service")
struct ServiceEnvironmentTests {
    private func read(_ values: [String: String]) throws -> ServiceEnvironment {
        try ServiceEnvironment(process: 42) { values[$0] }
    }

    @Test("names the manager, and the time after which a service counts as stuck")
    func whole() throws {
        let found = try read([
            "NOTIFY_SOCKET": "/run/systemd/notify", "WATCHDOG_USEC": "30000000",
            "WATCHDOG_PID": "42",
        ])
        #expect(found.address == (try NotificationAddress("/run/systemd/notify")))
        #expect(found.watchdogSilence == 30_000_000)
    }

    @Test("may name neither")
    func empty() throws {
        for values in [[:], ["NOTIFY_SOCKET": ""], ["WATCHDOG_USEC": "1000"]] {
            let found = try read(values)
            #expect(found.address == nil)
            #expect(found.watchdogSilence == nil)
        }
        #expect(try read(["NOTIFY_SOCKET": "@a"]).watchdogSilence == nil)
    }

    @Test("has a watchdog that may be for another process")
    func otherProcess() throws {
        let found = try read([
            "NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "41",
        ])
        #expect(found.watchdogSilence == nil)
    }

    @Test("says which value is none", arguments: ["", "x", "0", "-5", "1.5"])
    func wrongNumber(value: String) throws {
        let values = ["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": value]
        if value.isEmpty {
            #expect(try read(values).watchdogSilence == nil)
        } else {
            let expected = NotificationError.number(name: "WATCHDOG_USEC", value: value)
            #expect(throws: expected) { try read(values) }
            #expect("\(expected)".contains(value))
        }
    }

    @Test(
        "names no socket that there cannot be",
        arguments: [
            "relative", "/", "@", "vsock:2:1", "@a\u{0}b", "/" + String(repeating: "x", count: 107),
        ]
    )
    func wrongAddress(text: String) {
        #expect(throws: NotificationError.address(text)) { try read(["NOTIFY_SOCKET": text]) }
    }

    @Test("may have a name as long as the system takes it")
    func longest() throws {
        let text = "@" + String(repeating: "x", count: NotificationAddress.byteLimit - 1)
        #expect(try read(["NOTIFY_SOCKET": text]).address?.isAbstract == true)
    }
}
