import Basics
import StoreFormat

/// What `body` writes.
func stored(_ body: (inout StoreWriter) -> Void) -> [UInt8] {
    var writer = StoreWriter(capacity: 64)
    body(&writer)
    return writer.bytes.array
}

/// What `body` reads from all of the bytes: it throws what it does, or if some are left.
func restored<Value: ~Copyable>(
    _ bytes: [UInt8],
    _ body: (inout StoreReader) throws(StoreError) -> Value
) throws(StoreError) -> Value {
    // `withByteView` gives back only what can be copied.
    var value: Value?
    try bytes.withByteView { view throws(StoreError) in
        var reader = StoreReader(view)
        value = try body(&reader)
        try reader.finish()
    }
    return value.take()!
}
