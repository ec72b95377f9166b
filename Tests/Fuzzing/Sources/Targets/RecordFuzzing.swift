import Basics
import StoreFormat

/// Records of the store's journal and table, of any bytes and with the right checksum about any:
/// each is refused, or read as it was written.
///
///     J a journal of bodies, then bytes that are put over it │ T a value of the table │ N numbers
///     G a segment of groups, then bytes that are put over it │ C a list of the store's files
final class RecordFuzzing: FuzzTarget {
    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        switch input.byte() {
        case UInt8(ascii: "T"): checkTable(&input)
        case UInt8(ascii: "N"): input.rest.withCopy(checkNumbers)
        case UInt8(ascii: "J"): checkJournal(&input)
        case UInt8(ascii: "G"): checkSegment(&input)
        case UInt8(ascii: "C"): checkContents(&input)
        default: input.rest.withCopy(readJournal)
        }
    }

    // MARK: - The journal

    private func checkJournal(_ input: inout FuzzInput) {
        var bodies: [[UInt8]] = []
        for _ in 0..<input.below(4) { bodies.append(input.counted().array) }
        var writer = StoreWriter()
        var parent: UInt64 = 0
        for (index, body) in bodies.enumerated() {
            let start = JournalRecord.begin(&writer)
            body.withByteView { writer.put(raw: $0) }
            let position = UInt64(index) + 1
            parent = JournalRecord.end(&writer, from: start, position: position, parent: parent)
        }
        var read: [[UInt8]] = []
        var chain = JournalChain(next: 1, parent: 0)
        do throws(StoreError) {
            try writer.bytes.withCopyChecked { (view) throws(StoreError) in
                try chain.follow(view) { read.append($0.body.array) }
            }
        } catch {
            fail("a journal of our own is refused: \(error)")
        }
        require(read == bodies && chain.parent == parent, "a journal is read as another one")
        readDamaged(writer.bytes.array, &input, bodies)
    }

    /// With some bytes of it changed, what is read is the beginning of what was written.
    private func readDamaged(
        _ journal: [UInt8],
        _ input: inout FuzzInput,
        _ bodies: [[UInt8]]
    ) {
        if journal.isEmpty || input.isAtEnd { return }
        var damaged = journal
        while !input.isAtEnd {
            let position = Int(input.number(2)) % journal.count
            damaged[position] ^= input.byte()
        }
        if damaged == journal { return }
        var read: [[UInt8]] = []
        var chain = JournalChain(next: 1, parent: 0)
        let isWhole: Void? = damaged.withByteView { damaged in
            damaged.withCopy { try? chain.follow($0) { read.append($0.body.array) } }
        }
        require(isWhole == nil, "a journal with another byte is read")
        require(bodies.starts(with: read), "a damaged journal is read as another one")
    }

    private func readJournal(_ bytes: ByteView) {
        var chain = JournalChain(next: 1, parent: nil)
        if (try? chain.follow(bytes)) == nil { chain.skip(bytes) }
    }

    // MARK: - Segments and the list of files

    private func checkSegment(_ input: inout FuzzInput) {
        let identifier = StoreDescription.Identifier(high: 1, low: 2)
        let header = SegmentHeader(identifier: identifier, first: 1, parent: input.number(8))
        var writer = StoreWriter()
        var parent = header.write(to: &writer)
        var groups: [[UInt8]] = []
        for _ in 0..<input.below(4) {
            let records = input.counted()
            groups.append(records.array)
            parent = JournalGroup.writeHeader(
                of: records,
                from: UInt64(groups.count),
                link: JournalGroup.Link(mark: header.mark, parent: parent),
                to: &writer
            )
            writer.put(raw: records)
        }
        require(readSegment(writer.bytes) == groups, "a segment is read as another one")
        var damaged = writer.bytes.array
        while !input.isAtEnd { damaged[Int(input.number(2)) % damaged.count] ^= input.byte() }
        let read = damaged.withByteView { readSegment($0) }
        require(groups.starts(with: read), "a damaged segment is read as another one")
    }

    /// The records of the groups, up to the first one that is not whole.
    private func readSegment(_ bytes: ByteView) -> [[UInt8]] {
        guard let header = SegmentHeader(bytes) else { return [] }
        var groups: [[UInt8]] = []
        var (offset, parent) = (SegmentHeader.byteCount, header.checksum)
        while true {
            let rest = bytes.slice(offset, to: bytes.count)
            guard
                case .group(let group) = JournalGroup.read(rest, mark: header.mark, parent: parent)
            else { return groups }
            _ = group.lastPosition
            groups.append(group.records.array)
            offset += group.byteCount
            parent = group.checksum
        }
    }

    /// With the right checksum about any bytes: refused, or written again as the same.
    private func checkContents(_ input: inout FuzzInput) {
        var writer = StoreWriter()
        writer.put(0 as UInt64)
        writer.put(raw: input.rest)
        writer.patch(checksum(input.rest), at: 0)
        guard let contents = writer.bytes.withCopy({ try? StoreContents($0) }) else { return }
        var again = StoreWriter()
        contents.write(to: &again)
        // A name that is no UTF-8 is read as another one.
        let isSame = again.bytes.withCopy { try? StoreContents($0) } == contents
        require(isSame, "a list of files is read as another one")
    }

    // MARK: - The table

    private func checkTable(_ input: inout FuzzInput) {
        let isOwn = input.byte() & 1 == 0
        let key = TableKey(
            type: input.byte(),
            number: UInt32(input.number(4)),
            part: UInt16(input.number(2)),
            epoch: UInt32(input.number(4))
        )
        var keyWriter = StoreWriter()
        key.write(to: &keyWriter)
        require((try? TableKey(keyWriter.bytes)) == key, "a key is read as another one")
        if !isOwn {
            input.rest.withCopy { value in
                _ = try? TableRecord.body(value, key: key)
                _ = try? TableKey(value)
                _ = try? StoreManifest(key, value: value)
            }
            return
        }
        var writer = StoreWriter()
        let start = TableRecord.begin(&writer)
        writer.put(raw: input.rest)
        TableRecord.end(&writer, from: start, key: key)
        let body = writer.bytes.withCopy { try? TableRecord.body($0, key: key).array }
        require(body == input.rest.array, "a value is read as another one")
        writer.bytes.withCopy { checkManifest(key, $0) }
    }

    private func checkManifest(_ key: TableKey, _ value: ByteView) {
        guard let manifest = try? StoreManifest(key, value: value) else { return }
        var writer = StoreWriter()
        manifest.write(to: &writer)
        let body = value.slice(TableRecord.headerByteCount, to: value.count)
        let isSame = body.count >= writer.count && body.slice(0, to: writer.count) == writer.bytes
        require(isSame, "a manifest is written otherwise")
    }

    // MARK: - Numbers

    /// Numbers as varints: what is read and written again is read as the same.
    private func checkNumbers(_ bytes: ByteView) {
        var reader = StoreReader(bytes)
        var writer = StoreWriter()
        var numbers: [UInt64] = []
        while !reader.isAtEnd, let number = try? reader.readVarint() {
            numbers.append(number)
            writer.put(varint: number)
            writer.put(signed: Int64(bitPattern: number))
        }
        var again = StoreReader(writer.bytes)
        for number in numbers {
            require((try? again.readVarint()) == number, "\(number) is read as another number")
            require(
                (try? again.readSigned()) == Int64(bitPattern: number),
                "\(number) is read as another signed number"
            )
        }
        require(again.isAtEnd, "something is left of the numbers")
        var others = StoreReader(bytes)
        while !others.isAtEnd, (try? others.readCounted()) != nil {}
    }
}
