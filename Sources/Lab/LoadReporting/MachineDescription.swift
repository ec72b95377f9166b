internal import Basics
internal import Foundation
internal import Glibc

/// The machine on which something was measured.
package struct MachineDescription: Codable, Equatable, Sendable {
    /// The model of the processor; `unknown` if the kernel does not name it.
    package var processor: String
    /// The number of cores that are online.
    package var cores: Int
    /// The size of the main memory; 0 if it is not known.
    package var memoryBytes: Int
    /// The kernel's name and version.
    package var system: String

    /// Reads the texts of `/proc/cpuinfo` and `/proc/meminfo`; `system` is the kernel's name and
    /// version, and `cores` the number of cores that are online.
    package init(cpuinfo: String, meminfo: String, system: String, cores: Int) {
        processor = Self.value(of: "model name", in: cpuinfo) ?? "unknown"
        let kilobytes = Self.value(of: "MemTotal", in: meminfo)?.split(separator: " ").first
        memoryBytes = (kilobytes.flatMap { Int($0) } ?? 0) * 1_024
        self.cores = cores
        self.system = system
    }

    /// The machine on which this program runs.
    package static var this: MachineDescription {
        var names = utsname()
        unsafe uname(&names)
        let system = unsafe text(&names.sysname) + " " + text(&names.release)
        return MachineDescription(
            cpuinfo: (try? ReportFile.read("/proc/cpuinfo")) ?? "",
            meminfo: (try? ReportFile.read("/proc/meminfo")) ?? "",
            system: system,
            cores: sysconf(CInt(_SC_NPROCESSORS_ONLN))
        )
    }

    /// The text of one field of `utsname`, which ends with a zero byte.
    @unsafe
    private static func text<Name>(_ name: inout Name) -> String {
        unsafe withUnsafeBytes(of: &name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func value(of name: String, in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]) == name else { continue }
            return trimmed(parts[1])
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        text.trimmingCharacters(in: .whitespaces)
    }

    /// The machine in one line.
    package var text: String {
        let gibibytes = Double(memoryBytes) / Double(1 << 30)
        return "\(processor), \(cores) cores, \(FigureText.short(gibibytes)) GiB, \(system)"
    }
}
