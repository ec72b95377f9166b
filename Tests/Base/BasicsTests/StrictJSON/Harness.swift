import Basics
import Glibc

/// What a scan tells, in the order in which it tells it.
enum Event: Equatable {
    case key([UInt8])
    case string([UInt8])
    case number([UInt8])
    case literal(String)
    case beginObject
    case endObject
    case beginArray
    case endArray
}

/// Writes down everything that it is told.
struct RecordingVisitor: JSONVisitor {
    var events: [Event] = []

    mutating func key(_ key: ByteView) { events.append(.key(key.array)) }
    mutating func string(_ value: ByteView) { events.append(.string(value.array)) }
    mutating func number(_ text: ByteView) { events.append(.number(text.array)) }
    mutating func literal(_ literal: JSONLiteral) { events.append(.literal("\(literal)")) }
    mutating func beginObject() { events.append(.beginObject) }
    mutating func endObject() { events.append(.endObject) }
    mutating func beginArray() { events.append(.beginArray) }
    mutating func endArray() { events.append(.endArray) }
}

extension JSONReader {
    /// Reads a value, and tells it as a scan would.
    mutating func reportValue(_ events: inout [Event]) {
        switch peek() {
        case .object:
            events.append(.beginObject)
            enterObject()
            while let key = nextKey() {
                events.append(.key(key.withDecoded { $0.array }))
                reportValue(&events)
            }
            events.append(.endObject)
        case .array:
            events.append(.beginArray)
            enterArray()
            while nextElement() { reportValue(&events) }
            events.append(.endArray)
        case .string:
            var bytes: [UInt8] = []
            readString().decoded(into: &bytes)
            events.append(.string(bytes))
        case .number: events.append(.number(readNumber().array))
        case .true, .false: events.append(.literal(readBoolean() ? "true" : "false"))
        case .null:
            skipValue()
            events.append(.literal("null"))
        }
    }
}

/// What comes of a scan: events or an error.
enum Outcome: Equatable {
    case accepted([Event])
    case refused(JSONErrorCode, Int)

    var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }

    var events: [Event]? {
        if case .accepted(let events) = self { events } else { nil }
    }

    var code: JSONErrorCode? {
        if case .refused(let code, _) = self { code } else { nil }
    }
}

/// Memory whose end is the end of a page that may be read: one byte further and the process stops.
///
/// Nothing but this shows that a scanner which loads eight bytes at a time keeps within a document.
@safe struct GuardedMemory: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private static let pageBytes = 4_096

    init(capacity: Int) {
        let pages = (capacity + Self.pageBytes - 1) / Self.pageBytes
        self.capacity = pages * Self.pageBytes
        unsafe base = mmap(
            nil,
            (pages + 1) * Self.pageBytes,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS,
            -1,
            0
        )!
        unsafe precondition(mprotect(base + self.capacity, Self.pageBytes, PROT_NONE) == 0)
    }

    deinit {
        unsafe munmap(base, capacity + Self.pageBytes)
    }

    /// Lays the bytes in front of the guard page and runs `body` on them.
    func with<Result, Failure: Error>(
        _ bytes: [UInt8],
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(bytes.count <= capacity, "the document is too long for the memory")
        let start = unsafe base + (capacity - bytes.count)
        for index in bytes.indices {
            unsafe start.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
        }
        return try body(unsafe ByteView(base: start, count: bytes.count))
    }
}

/// Scans documents at the edge of their memory and keeps scanner and memory for the next.
struct Harness: ~Copyable {
    private var scanner: JSONScanner
    private let memory: GuardedMemory
    private(set) var lastError: JSONError?

    init(depthLimit: Int = 32, capacity: Int = 1 << 20) {
        scanner = JSONScanner(depthLimit: depthLimit)
        memory = GuardedMemory(capacity: capacity)
    }

    mutating func scan(_ bytes: [UInt8]) -> Outcome {
        var visitor = RecordingVisitor()
        lastError = nil
        do throws(JSONError) {
            try memory.with(bytes) { (view) throws(JSONError) in
                try scanner.scan(view, into: &visitor)
            }
        } catch {
            lastError = error
        }
        scanner.resetScratch()
        if let lastError { return .refused(lastError.code, lastError.offset) }
        return .accepted(visitor.events)
    }

    mutating func scan(_ text: String) -> Outcome {
        scan(Array(text.utf8))
    }
}

/// Scans one document with a scanner of its own.
func scan(_ text: String, depthLimit: Int = 32) -> Outcome {
    scan(Array(text.utf8), depthLimit: depthLimit)
}

func scan(_ bytes: [UInt8], depthLimit: Int = 32) -> Outcome {
    var harness = Harness(depthLimit: depthLimit, capacity: max(1, bytes.count))
    return harness.scan(bytes)
}

/// The error of one document; nil if it is accepted.
func scanError(_ bytes: [UInt8], depthLimit: Int = 32) -> JSONError? {
    var harness = Harness(depthLimit: depthLimit, capacity: max(1, bytes.count))
    _ = harness.scan(bytes)
    return harness.lastError
}

/// Bytes in a form that a failure's message can show.
func printable(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        byte >= 0x20 && byte < 0x7f && byte != 0x5c
            ? String(UnicodeScalar(byte))
            : "\\x" + String(UInt16(byte) + 0x100, radix: 16).dropFirst()
    }.joined()
}
