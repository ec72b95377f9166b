internal import Glibc

/// Resident memory of this process in bytes; 0 if the system does not report it.
///
/// Call it on threads that answer requests, not on the loop: the system takes a while.
func residentByteCount() -> Int {
    // The fields are in pages: total size, resident size, and others.
    let words = systemText("/proc/self/statm")?.split(separator: " ") ?? []
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * sysconf(CInt(_SC_PAGESIZE))
}

/// The first 16 KiB of a file in which the system says something; nil if there is none.
package func systemText(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
}
