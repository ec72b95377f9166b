import Glibc
import Platform

/// A program that is run for a measurement.
struct BenchProgram {
    /// What it is called in messages, and in its own arguments.
    let name: String
    let path: String
    /// The router that it starts; nil for the one that this program would start.
    var router: String?

    /// The router.
    static var router: BenchProgram {
        BenchProgram(name: "reload-router", path: namedRouter ?? ownFolder + "reload-router")
    }

    /// The laboratory, this program.
    static var lab: BenchProgram { BenchProgram(name: "reload-lab", path: "/proc/self/exe") }

    /// A shell, which becomes another program.
    static var shell: BenchProgram { BenchProgram(name: "sh", path: "/bin/sh") }

    /// The environment variable with the path of a router to run instead of the one beside this
    /// program, such as that of the previous version.
    static let routerVariable = "RELOAD_LAB_ROUTER"

    /// The router that `routerVariable` names; nil if it is not set.
    static var namedRouter: String? {
        environmentVariable(routerVariable)
    }

    /// The folder of this program, with a slash at its end.
    private static var ownFolder: String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
        }
        let end = bytes[..<max(0, count)].lastIndex(of: UInt8(ascii: "/")) ?? -1
        return String(decoding: bytes[..<(end + 1)], as: UTF8.self)
    }
}
