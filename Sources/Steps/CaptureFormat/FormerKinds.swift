package import Basics
internal import FrameCodec
internal import StoreFormat

/// The kinds to which pushes are narrowed, as captures of version 1 have them, files and lines
/// alike: a list of names in the member `kinds` of the payload.
package enum FormerKinds {
    /// The records of a chunk of version 1 in the form of the present version, from the time of the
    /// first one on; nil if none of them changes, or if they are damaged. The payloads stay as they
    /// are: a member `kinds` is one like any other now.
    package static func converted(_ bytes: ByteView, firstTime: RecordedTime) -> [UInt8]? {
        var reader = CaptureRecordReader(bytes, firstTime: firstTime)
        var records = CaptureRecords()
        var scanner = CaptureLine.scanner()
        var isChange = false
        do throws(CaptureError) {
            while let record = try reader.next() {
                isChange = convert(record, using: &scanner) { records.put($0) } || isChange
            }
        } catch {
            return nil
        }
        return isChange ? records.bytes.array : nil
    }

    /// Calls `use` once with a record of version 1 in the form of the present version; what it gets
    /// is valid only until it returns. Returns whether the record has changed.
    ///
    /// - Throws: what `use` throws.
    static func convert<Failure: Error>(
        _ record: CaptureRecord,
        using scanner: inout JSONScanner,
        use: (CaptureRecord) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let converted = body(of: record, using: &scanner) else {
            try use(record)
            return false
        }
        try converted.withByteView { view throws(Failure) in
            var changed = record
            changed.flags |= PushFlags.kinds
            changed.body = view
            try use(changed)
        }
        return true
    }

    /// The body of a push with its kinds in front of the payload; nil if it is not narrowed.
    private static func body(
        of record: CaptureRecord,
        using scanner: inout JSONScanner
    ) -> [UInt8]? {
        guard let parts = record.pushParts, parts.kinds == nil,
            let names = kinds(of: parts.payload, using: &scanner)
        else { return nil }
        let date = record.body.count - parts.payload.count
        let length = [names.count >> 8, names.count].map { UInt8(truncatingIfNeeded: $0) }
        return record.body.slice(0, to: date).array + length + names + parts.payload.array
    }

    /// The names in a payload's member `kinds`, each after its length; nil if there is none.
    private static func kinds(of payload: ByteView, using scanner: inout JSONScanner) -> [UInt8]? {
        defer { scanner.resetScratch() }
        guard (try? validateJSON(payload, using: &scanner)) != nil else { return nil }
        var reader = JSONReader(payload)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "kinds" && reader.peek() == .array { return names(&reader) }
            reader.skipValue()
        }
        return nil
    }

    /// Reads a list of names. Names that no kind can have are left out: they were of no kind.
    private static func names(_ reader: inout JSONReader) -> [UInt8] {
        var names: [UInt8] = []
        reader.enterArray()
        while reader.nextElement() {
            if reader.peek() != .string {
                reader.skipValue()
                continue
            }
            var name: [UInt8] = []
            reader.readString().decoded(into: &name)
            if !(1...128).contains(name.count) || names.count + name.count >= 1 << 16 { continue }
            names.append(UInt8(name.count))
            names += name
        }
        return names
    }
}
