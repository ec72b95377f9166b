internal import Glibc

/// Resident memory of this process in bytes; 0 if the system does not report it.
///
/// Call it on threads that answer requests, not on the loop: the system takes a while.
func residentByteCount() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
        as: UTF8.self
    )
    // The fields are in pages: total size, resident size, and others.
    let words = text.split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * sysconf(CInt(_SC_PAGESIZE))
}
