package import Basics
internal import Glibc

/// Reads bytes of a file into memory, from an offset or, if that is nil, from where the last read
/// has ended, which pipes have, too; fewer only at the end of the file. Returns how many, or -1
/// with the reason in `errno`.
@unsafe
package func readAll(
    _ descriptor: CInt,
    into memory: UnsafeMutableRawPointer,
    byteCount: Int,
    at offset: Int? = nil
) -> Int {
    assert(byteCount >= 0 && offset ?? 0 >= 0, "\(byteCount) bytes from \(offset ?? 0) on")
    var count = 0
    while count < byteCount {
        let step =
            if let offset {
                unsafe pread(descriptor, memory + count, byteCount - count, offset + count)
            } else {
                unsafe read(descriptor, memory + count, byteCount - count)
            }
        if step < 0 && errno == EINTR { continue }
        if step < 0 { return -1 }
        if step == 0 { break }
        count += step
    }
    return count
}

/// Writes all bytes to a file, at an offset or, if that is nil, where the last write has ended.
/// Returns false, with the reason in `errno`, if that fails.
package func writeAll(_ bytes: ByteView, to descriptor: CInt, at offset: Int? = nil) -> Bool {
    var count = 0
    while count < bytes.count {
        let rest = bytes.slice(count, to: bytes.count)
        let step =
            if let offset {
                unsafe pwrite(descriptor, rest.address, rest.count, offset + count)
            } else {
                unsafe write(descriptor, rest.address, rest.count)
            }
        if step < 0 && errno == EINTR { continue }
        if step < 0 { return false }
        count += step
    }
    return true
}
