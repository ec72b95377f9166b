import CReferences
import DataStructures
import DurableStore
import Glibc
import Platform
import StoreFormat
import Times

/// The windows in which the engine alone wrote the router's appends, with pushes as operations.
struct BenchEngineWindows {
    /// The windows with one record for each push.
    private(set) var puts = BenchWindows()
    /// The windows with the router's own pieces, each of which is one append.
    private(set) var pieces = BenchWindows()
    /// Journal bytes per push, of each window.
    private var bytes: [Double] = []
    /// Appends per second, of each window.
    private var appends: [Double] = []

    /// Writes a window's appends again with the engine, in folders that are deleted afterwards.
    ///
    /// - Parameters:
    ///   - journal: what the router appended.
    ///   - pushes: the pushes that led to it.
    ///   - folder: where to write.
    /// - Throws: `BenchFailure` or an error of the store.
    mutating func add(
        _ journal: BenchJournal,
        of pushes: BenchWindow,
        in folder: BenchFolder
    ) throws {
        let bytesPerPush = try Self.bytesPerPush(journal.byteCount, pushes: pushes.operations)
        bytes.append(bytesPerPush)
        appends.append(Double(journal.appends) * 1e9 / Double(max(1, pushes.time.rawValue)))
        func inPushes(_ window: BenchWindow) -> BenchWindow {
            var window = window
            window.operations = Int(Double(window.operations) / bytesPerPush)
            return window
        }
        puts.add(inPushes(try journal.putAgain(folder("puts"), bytesPerPush: bytesPerPush)))
        folder.delete("puts")
        pieces.add(inPushes(try journal.appendAgain(folder("pieces"))))
        folder.delete("pieces")
    }

    /// Returns the bytes of the journal for each push of a window.
    ///
    /// - Throws: `BenchFailure` if there are none, as in a window that is short for a slow disk.
    static func bytesPerPush(_ byteCount: Int, pushes: Int) throws(BenchFailure) -> Double {
        if byteCount > 0 && pushes > 0 { return Double(byteCount) / Double(pushes) }
        throw BenchFailure(
            "\(pushes) pushes of a window have left \(byteCount) bytes in the journal; measure "
                + "longer windows with --seconds"
        )
    }

    func report(_ report: inout BenchReport) {
        for (name, windows) in [("engine", puts), ("engine.pieces", pieces)] {
            report.add("store.\(name).rate", value: windows.rate, unit: "pushes/s")
            report.add("store.\(name).cpu", value: windows.cpu, unit: "ns/push")
        }
        report.add("store.journal", value: median(bytes), unit: "bytes/push")
        report.add("store.appends", value: median(appends), unit: "appends/s")
    }
}

/// Measures the disk alone.
///
/// - Returns: how long each of `count` durable writes of 4 KB took.
func measureDisk(_ path: String, count: Int) throws -> [Nanoseconds] {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if file < 0 { throw BenchFailure("\(path) cannot be written") }
    defer {
        close(file)
        unsafe _ = unlink(path)
    }
    let block = [UInt8](repeating: 0x5a, count: 4_096)
    var times: [Nanoseconds] = []
    for _ in 0..<count {
        let start = ExactTime.now
        let isWritten = unsafe write(file, block, block.count) == block.count
        if !isWritten || fdatasync(file) != 0 { throw BenchFailure("\(path) cannot be written") }
        times.append(ExactTime.now - start)
    }
    return times
}
