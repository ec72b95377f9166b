package import Basics
import Glibc
import StoreFormat

/// Checksums of all that a run has written and sent: two runs with equal ones were the same, byte
/// for byte.
package struct Transcript: Equatable, CustomStringConvertible {
    /// Of the journal.
    package private(set) var journal: UInt64 = 0
    /// Of the records of a capture.
    package private(set) var capture: UInt64 = 0
    /// Of the frames, and which connections they were for.
    package private(set) var frames: UInt64 = 0

    /// A run that has written and sent nothing.
    package init() {}

    /// Adds the body of a journal's record; an empty one is none.
    package mutating func add(journal body: ByteView) {
        if body.count > 0 { journal = StoreFormat.checksum(body, seed: journal) }
    }

    /// Adds records of a capture; no bytes are no records.
    package mutating func add(capture records: ByteView) {
        if records.count > 0 { capture = StoreFormat.checksum(records, seed: capture) }
    }

    /// Adds a frame for a connection.
    package mutating func add(frame bytes: ByteView, for connection: UInt32) {
        frames = StoreFormat.checksum(bytes, seed: frames &+ UInt64(connection))
    }

    /// Adds another run, which followed this one.
    package mutating func add(_ next: Transcript) {
        for path in [\Transcript.journal, \.capture, \.frames] {
            self[keyPath: path] = self[keyPath: path] &* 31 &+ next[keyPath: path]
        }
    }

    package var description: String {
        [journal, capture, frames].map { "0x" + String($0, radix: 16) }.joined(separator: " ")
    }

    /// The file to which transcripts are to be added, a line for each run, in the environment
    /// variable RELOAD_ROUTER_TRANSCRIPTS; nil if none are wanted.
    ///
    /// A change that must change nothing is compared with the version before it by two such files
    /// of many seeds (`RELOAD_ROUTER_SEEDS`).
    package static var file: String? {
        getenv("RELOAD_ROUTER_TRANSCRIPTS").map { String(cString: $0) }
    }

    /// Adds a line for this run to `file`.
    package func write(of run: String, seed: UInt64) {
        guard let path = Self.file, let file = fopen(path, "a") else {
            preconditionFailure("RELOAD_ROUTER_TRANSCRIPTS names no file that can be written")
        }
        fputs("\(run) \(seed) \(self)\n", file)
        fclose(file)
    }
}
