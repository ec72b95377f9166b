import Basics

/// Takes an input apart: every sequence of bytes gives something, and small changes of the bytes
/// are small changes of that.
struct FuzzInput {
    private(set) var rest: ByteView

    init(_ bytes: ByteView) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.count == 0 }

    /// The next byte; 0 behind the last one.
    mutating func byte() -> UInt8 {
        if isAtEnd { return 0 }
        defer { rest = rest.slice(1, to: rest.count) }
        return rest[0]
    }

    /// A number below `bound`, which is 256 at most.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    /// A number of so many bytes, the lowest one first.
    mutating func number(_ byteCount: Int) -> UInt64 {
        (0..<byteCount).reduce(0) { $0 | UInt64(byte()) << UInt64(8 * $1) }
    }

    /// As many bytes as the next two say, or what there is of them.
    mutating func counted() -> ByteView {
        let count = min(Int(number(2)), rest.count)
        defer { rest = rest.slice(count, to: rest.count) }
        return rest.slice(0, to: count)
    }

    /// The bytes up to the next end of a line, which is passed over.
    mutating func line() -> ByteView {
        var end = 0
        while end < rest.count && rest[end] != 0x0a { end += 1 }
        defer { rest = rest.slice(min(end + 1, rest.count), to: rest.count) }
        return rest.slice(0, to: end)
    }
}

extension ByteView {
    /// Lends a copy in memory of its own that has its length.
    ///
    /// A read behind its end is then seen by a sanitizer also where the assertions of `ByteView`
    /// are not asked.
    func withCopy<Result>(_ body: (ByteView) -> Result) -> Result {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 1)
        defer { memory.deallocate() }
        copy(to: memory)
        return body(ByteView(base: memory, count: count))
    }

    /// The same for a body that throws.
    func withCopyChecked<Value, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let outcome = withCopy { copy -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try body(copy))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
