internal import Glibc
internal import Platform

/// A program that is run to be measured, or load-tested.
package struct LabProgram {
    /// What it is called in messages, and in its own arguments.
    package let name: String
    /// Where it is, or its name in one of the folders of `PATH`.
    package let path: String
    /// The router that it starts; nil for the one that this program would start.
    package var router: String?

    /// The router: the one that a variable names, the one beside this program, or that of `PATH`.
    package static var router: LabProgram {
        let name = "reload-router"
        let beside = ownFolder + name
        let found = unsafe access(beside, X_OK) == 0 ? beside : name
        return LabProgram(name: name, path: namedRouter ?? found)
    }

    /// The laboratory, this program.
    package static var lab: LabProgram { LabProgram(name: "reload-lab", path: "/proc/self/exe") }

    /// A shell, which becomes another program.
    package static var shell: LabProgram { LabProgram(name: "sh", path: "/bin/sh") }

    /// The environment variable with the path of a router to run instead, such as that of the
    /// previous version.
    static let routerVariable = "RELOAD_LAB_ROUTER"

    /// The router that `routerVariable` names; nil if it is not set.
    package static var namedRouter: String? { environmentVariable(routerVariable) }

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
