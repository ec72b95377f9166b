import Synchronization
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The sessions that are kept for the next start")
struct SessionKeeperTests {
    /// A disk that writes once it is let, or fails.
    private final class Disk: Sendable {
        let begun = Signal()
        let mayWrite = Signal()
        private let written = Mutex<[[UInt8]]>([])
        private let failures = Mutex(0)

        /// What was written, oldest first.
        var files: [[UInt8]] { written.withLock { $0 } }

        /// Lets the next writes fail.
        func fail(times: Int) { failures.withLock { $0 = times } }

        func write(_ file: [UInt8]) -> String? {
            begun.give()
            mayWrite.wait()
            let fails = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            if fails { return "No space left on device" }
            written.withLock { $0.append(file) }
            return nil
        }
    }

    @Test func `Operators do not wait for a slow disk, and the newest sessions are what it gets`() {
        let disk = Disk()
        let keeper = SessionKeeper(write: { disk.write($0) }, onChange: { _ in })
        let viewer = Operator(name: "v", role: .viewer, proof: .token(AdminStage.digest("v")))
        let drawn = Mutex<UInt8>(0)
        let authorization = Authorization(
            [viewer],
            random: { count in
                let byte = drawn.withLock { drawn in
                    drawn &+= 1
                    return drawn
                }
                return [UInt8](repeating: byte, count: count)
            },
            now: { 1_000 },
            keep: { keeper.keep($0) }
        )
        func session() -> Authorization.Session? {
            let link = authorization.makeLink(for: AdmittedOperator(viewer, way: .token))
            return authorization.openSession(link.code)
        }
        let first = session()
        disk.begun.wait()
        // The disk writes the first session, and does not end: all of this happens meanwhile.
        for _ in 0..<10 { _ = session() }
        #expect(first.map { authorization.endSession(of: $0.admitted) } == true)
        #expect(disk.files.isEmpty)
        disk.mayWrite.give()
        keeper.close()
        #expect(disk.files.map { $0.text.split(separator: "sha256").count - 1 } == [1, 10])
    }

    @Test func `What could not be written is tried again, and said once`() {
        let disk = Disk()
        disk.fail(times: 2)
        disk.mayWrite.give()
        let said = Mutex<[String?]>([])
        let worksAgain = Signal()
        let keeper = SessionKeeper {
            disk.write($0)
        } onChange: { reason in
            said.withLock { $0.append(reason) }
            if reason == nil { worksAgain.give() }
        }
        keeper.keep([1])
        worksAgain.wait()
        #expect(disk.files == [[1]])
        #expect(said.withLock { $0 } == ["No space left on device", nil])
        // At the end, it is tried once.
        disk.fail(times: 9)
        keeper.keep([2])
        keeper.close()
        #expect(disk.files == [[1]])
    }
}
