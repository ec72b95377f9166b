internal import Glibc

/// Memory that this process holds, in bytes, as the system counts it; 0 if it does not say.
///
/// For the threads that answer, not for the loop: the system looks for a while.
func residentByteCount() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard unsafe fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
        as: UTF8.self
    )
    // The whole, what is resident, and so on: in pages.
    let words = text.split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return 0 }
    return pages * sysconf(CInt(_SC_PAGESIZE))
}
