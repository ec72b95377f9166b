internal import Basics
internal import Foundation
internal import Glibc
internal import LoadReporting
internal import Platform

/// The CPU time and memory that a run costs the fleet's process, and the CPU time of the router if
/// that is known.
struct FleetUsage {
    private let routerCPU: (() -> Nanoseconds)?
    /// The resident memory of this process before the devices started, in bytes.
    private let bytesBefore: Int
    private var bytesPerDevice = 0
    /// The CPU time of this process when the run began.
    private var cpuAtStart = Nanoseconds.zero
    /// The CPU time of this process during the run.
    private var cpu = Nanoseconds.zero
    /// The CPU time of the router when the run began.
    private var routerAtStart = Nanoseconds.zero
    /// The CPU time of the router during the run.
    private var router = Nanoseconds.zero
    private var hasEnded = false

    init(_ settings: FleetSettings) {
        routerCPU = settings.routerCPU
        bytesBefore = Self.residentBytes
    }

    /// Starts measuring the run: all devices have started.
    mutating func begin(devices: Int) {
        assert(!hasEnded, "the measurement is over")
        bytesPerDevice = max(0, Self.residentBytes - bytesBefore) / max(1, devices)
        cpuAtStart = Nanoseconds.processCPU
        routerAtStart = routerCPU?() ?? .zero
    }

    /// Ends the measurement; further calls have no effect.
    mutating func endRun() {
        if hasEnded { return }
        hasEnded = true
        cpu = Nanoseconds.processCPU - cpuAtStart
        router = (routerCPU?() ?? .zero) - routerAtStart
    }

    /// Fills in what was measured.
    func fill(_ report: inout FleetReport) {
        report.fleet.bytesPerDevice = bytesPerDevice
        report.fleet.cpuSeconds = cpu.inSeconds
        guard routerCPU != nil else { return }
        report.router.cpuSeconds = router.inSeconds
        if report.reloads.widgets > 0 {
            report.router.cpuNanosecondsPerReload =
                router.inNanoseconds / Double(report.reloads.widgets)
        }
    }

    /// The resident memory of this process, in bytes; 0 if it is not known.
    private static var residentBytes: Int {
        let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let resident = pages?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (resident ?? 0) * Int(getpagesize())
    }
}
