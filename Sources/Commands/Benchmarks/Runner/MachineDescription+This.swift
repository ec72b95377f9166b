import ArgumentParser
import Basics
import CommandSupport
import Glibc
import LoadReporting
import Platform

extension MachineDescription {
    /// The machine that this program runs on.
    static var this: MachineDescription {
        var names = utsname()
        unsafe uname(&names)
        let system = unsafe text(&names.sysname) + " " + text(&names.release)
        return MachineDescription(
            cpuinfo: readText("/proc/cpuinfo"),
            meminfo: readText("/proc/meminfo"),
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
}
