import Glibc

/// A program that is run for a measurement; the raw value is its name.
enum BenchProgram: String {
    /// The router.
    case router = "reload-router"
    /// The laboratory, this program.
    case lab = "reload-lab"

    /// The environment variable with the path of a router to run instead of the one beside this
    /// program, such as that of the previous version.
    static let routerVariable = "RELOAD_LAB_ROUTER"

    /// The router that `routerVariable` names; nil if it is not set.
    static var namedRouter: String? {
        unsafe getenv(routerVariable).map { unsafe String(cString: $0) }
    }

    /// The path of the program.
    var path: String {
        if self == .lab { return "/proc/self/exe" }
        return Self.namedRouter ?? Self.folder + rawValue
    }

    /// The folder of this program, with a slash at its end.
    private static var folder: String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe readlink("/proc/self/exe", buffer.baseAddress!, buffer.count)
        }
        let end = bytes[..<max(0, count)].lastIndex(of: UInt8(ascii: "/")) ?? -1
        return String(decoding: bytes[..<(end + 1)], as: UTF8.self)
    }
}
