internal import Basics
internal import Glibc
internal import Platform
internal import StoreFormat

/// Slots of a `HistoryFile`, which are written in turn.
///
///     number of the entry │ its words │ checksum with version and place       (8 bytes each)
///
/// Entries are numbered in the order in which they were written, from 1 on: clocks may be set back.
struct HistorySlots {
    /// The version of the format.
    static var version: UInt64 { 2 }

    /// An entry as it was read.
    struct Entry {
        let slot: Int
        let number: UInt64
        let words: [UInt64]
    }

    /// What was read: entries in the order in which they were written, and how many slots are
    /// damaged.
    struct Contents {
        var entries: [Entry] = []
        var damagedCount = 0
    }

    /// Where the first slot begins in the file.
    let start: Int
    /// The words of an entry; it may have fewer, and zeros follow.
    let wordCount: Int
    /// The number of slots.
    let count: Int

    /// Bytes that are read at a time: what cannot be read is no more than this.
    private static var readLength: Int { 64 << 10 }

    private var slotBytes: Int { 8 * (wordCount + 2) }
    /// Where the next slots begin.
    var end: Int { start + count * slotBytes }

    /// The slots that follow in the file.
    func next(wordCount: Int, count: Int) -> HistorySlots {
        HistorySlots(start: end, wordCount: wordCount, count: count)
    }

    private func offset(of slot: Int) -> Int { start + slot * slotBytes }

    /// The seed of a slot's checksum: an entry of another place or version is none.
    private func seed(of slot: Int) -> UInt64 { UInt64(offset(of: slot)) | Self.version << 48 }

    /// Writes an entry; false, with the reason in `errno`, if that fails.
    func write(_ words: [UInt64], number: UInt64, to slot: Int, of file: CInt) -> Bool {
        assert(words.count <= wordCount && (0..<count).contains(slot) && number > 0)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(slotBytes)
        func append(_ word: UInt64) {
            for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * byte))) }
        }
        append(number)
        for index in 0..<wordCount { append(index < words.count ? words[index] : 0) }
        append(bytes.withByteView { checksum($0, seed: seed(of: slot)) })
        return bytes.withByteView { writeAll($0, to: file, at: offset(of: slot)) }
    }

    /// Reads all slots. What cannot be read is damaged, and so is what has another checksum.
    func read(_ file: CInt) -> Contents {
        var contents = Contents()
        let slots = max(1, Self.readLength / slotBytes)
        for first in stride(from: 0, to: count, by: slots) {
            let last = min(first + slots, count)
            var bytes = [UInt8](repeating: 0, count: (last - first) * slotBytes)
            let length = unsafe readAll(
                file,
                into: &bytes,
                byteCount: bytes.count,
                at: offset(of: first)
            )
            if length < 0 {
                contents.damagedCount += last - first
                continue
            }
            bytes.withByteView { bytes in
                for slot in first..<last {
                    let start = (slot - first) * slotBytes
                    let view = bytes.slice(start, to: start + slotBytes)
                    if view.isZero { continue }
                    if let entry = entry(in: view, slot: slot) {
                        contents.entries.append(entry)
                    } else {
                        contents.damagedCount += 1
                    }
                }
            }
            if length < bytes.count { break }
        }
        contents.entries.sort { $0.number < $1.number }
        return contents
    }

    private func entry(in bytes: ByteView, slot: Int) -> Entry? {
        let code = checksum(bytes.slice(0, to: slotBytes - 8), seed: seed(of: slot))
        if code != bytes.word(at: slotBytes - 8) { return nil }
        let words = (1...wordCount).map { bytes.word(at: 8 * $0) }
        return Entry(slot: slot, number: bytes.word(at: 0), words: words)
    }
}

extension ByteView {
    /// Whether all bytes are 0, of a multiple of 8.
    fileprivate var isZero: Bool {
        stride(from: 0, to: count, by: 8).allSatisfy { word(at: $0) == 0 }
    }
}
