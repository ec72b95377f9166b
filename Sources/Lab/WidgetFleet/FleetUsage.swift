internal import Glibc
internal import LoadReporting
internal import Platform

/// The CPU time and memory that a run costs the fleet's process, and the CPU time of the router if
/// that is known.
struct FleetUsage {
    private let routerNanoseconds: (() -> Int64)?
    private let bytesBefore: Int
    private var bytesPerDevice = 0
    private var cpuAtStart: Int64 = 0
    private var cpu: Int64 = 0
    private var routerAtStart: Int64 = 0
    private var router: Int64 = 0
    private var hasEnded = false

    init(_ settings: FleetSettings) {
        routerNanoseconds = settings.routerNanoseconds
        bytesBefore = Self.residentBytes
    }

    /// Starts measuring the run: all devices have started.
    mutating func begin(devices: Int) {
        assert(!hasEnded, "the measurement is over")
        bytesPerDevice = max(0, Self.residentBytes - bytesBefore) / max(1, devices)
        cpuAtStart = processNanoseconds()
        routerAtStart = routerNanoseconds?() ?? 0
    }

    /// Ends the measurement; further calls have no effect.
    mutating func endRun() {
        if hasEnded { return }
        hasEnded = true
        cpu = processNanoseconds() - cpuAtStart
        router = (routerNanoseconds?() ?? 0) - routerAtStart
    }

    func fill(_ report: inout FleetReport) {
        report.fleet.bytesPerDevice = bytesPerDevice
        report.fleet.cpuSeconds = Double(cpu) / 1e9
        guard routerNanoseconds != nil else { return }
        report.router.cpuSeconds = Double(router) / 1e9
        if report.reloads.widgets > 0 {
            report.router.cpuNanosecondsPerReload = Double(router) / Double(report.reloads.widgets)
        }
    }

    /// The resident memory of this process, in bytes; 0 if it is not known.
    private static var residentBytes: Int {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var total = 0
        var resident = 0
        let count = unsafe withUnsafeMutablePointer(to: &total) { total in
            unsafe withUnsafeMutablePointer(to: &resident) { resident in
                unsafe withVaList([total, resident]) { unsafe vfscanf(file, "%ld %ld", $0) }
            }
        }
        return count == 2 ? resident * Int(getpagesize()) : 0
    }
}
