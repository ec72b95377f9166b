internal import Glibc

/// Where a link leads, as it says itself; nil if there is none at the path.
package func linkTarget(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { memory in
        unsafe readlink(path, memory.bindMemory(to: CChar.self).baseAddress!, memory.count)
    }
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}
