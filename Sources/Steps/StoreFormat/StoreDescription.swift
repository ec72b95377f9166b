package import Basics

/// The identity of a store, fixed when it is made.
///
///     0    checksum of all that follows           64 bits
///     8    version of the format of the store     32 bits
///     12   identifier, random                     128 bits
///     28   decision seed                          64 bits
///     36   when it was made: wall clock, ms       64 bits
///     44   number of partitions                   32 bits; before format 4: one
///
/// It is the whole content of the file `STORE`. The version comes first because another format may
/// have another layout after it.
package struct StoreDescription: Equatable, Sendable {
    /// The version of the store's format.
    package var version: UInt32
    /// Identifies the store; a backup has the identifier of its original.
    package var identifier: Identifier
    /// The seed of the hashes that are stored with widgets; it never changes.
    package var decisionSeed: DecisionSeed
    /// When the store was made.
    package var madeAt: WallTime
    /// How many partitions the devices are divided among, which never changes.
    package var partitionCount: Int

    /// 128 random bits.
    package struct Identifier: Equatable, Sendable, CustomStringConvertible {
        /// The first 64 bits.
        package var high: UInt64
        /// The last 64 bits.
        package var low: UInt64

        /// The bytes of no identifier.
        static let none = Identifier(high: 0, low: 0)

        /// Makes an identifier from its two halves.
        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        func write(to writer: inout StoreWriter) {
            writer.put(high)
            writer.put(low)
        }

        /// Reads 32 hexadecimal digits, between which there may be hyphens, as in a UUID; nil if
        /// these are others.
        package init?(_ text: some StringProtocol) {
            let digits = String(text.filter { $0 != "-" })
            guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
                let low = UInt64(digits.suffix(16), radix: 16)
            else { return nil }
            self.init(high: high, low: low)
        }

        init(reading reader: inout StoreReader) throws(StoreError) {
            high = try reader.read(UInt64.self)
            low = try reader.read(UInt64.self)
        }

        /// The identifier as 32 hexadecimal digits.
        package var description: String { high.hexadecimal + low.hexadecimal }
    }

    /// The format that this router writes.
    package static var currentVersion: UInt32 { 4 }
    /// The oldest format that this router reads; the first change makes such a store one of the
    /// present format. No release has written an older one.
    package static var oldestVersion: UInt32 { 3 }
    /// The first format that says how many partitions there are.
    private static var versionWithPartitions: UInt32 { 4 }

    /// How the devices are divided.
    package var partitions: PartitionMap {
        PartitionMap(count: partitionCount, seed: decisionSeed)
    }

    /// The identity of a new store.
    package static func random(
        version: UInt32,
        madeAt: WallTime,
        partitionCount: Int = 1,
        using generator: inout some RandomNumberGenerator
    ) -> StoreDescription {
        StoreDescription(
            version: version,
            identifier: Identifier(high: generator.next(), low: generator.next()),
            decisionSeed: DecisionSeed(generator.next()),
            madeAt: madeAt,
            partitionCount: partitionCount
        )
    }

    /// Appends the content of the file.
    package func write(to writer: inout StoreWriter) {
        let start = writer.count
        writer.put(0 as UInt64)
        writer.put(version)
        identifier.write(to: &writer)
        writer.put(decisionSeed.rawValue)
        writer.put(madeAt.rawValue)
        if version >= Self.versionWithPartitions { writer.put(UInt32(partitionCount)) }
        writer.patch(checksum(writer.bytes.slice(start + 8, to: writer.count)), at: start)
    }

    /// Reads what `write` of this or another version has written, up to the newest format that the
    /// caller can read.
    ///
    /// - Throws: `corrupt`, `older` or `newer`.
    package init(_ bytes: ByteView, upTo limit: UInt32) throws(StoreError) {
        var reader = StoreReader(bytes)
        let sum = try reader.read(UInt64.self)
        if checksum(bytes.slice(8, to: bytes.count)) != sum {
            throw StoreError(.corrupt, message: "the store's format record has a wrong checksum")
        }
        version = try reader.read(UInt32.self)
        // The checksum alone is no proof: other files of the store, such as `CONTENTS` or a segment
        // without a group, begin with one as well.
        if version == 0 || version > UInt16.max {
            throw StoreError(
                .corrupt,
                message: "the store says that it is of format \(version), which does not exist"
            )
        }
        try StoreError.require(version, of: "the store", in: Self.oldestVersion...limit)
        identifier = try Identifier(reading: &reader)
        decisionSeed = DecisionSeed(try reader.read(UInt64.self))
        madeAt = WallTime(rawValue: try reader.read(Int64.self))
        partitionCount = 1
        if version >= Self.versionWithPartitions {
            partitionCount = Int(try reader.read(UInt32.self))
            if !PartitionMap.counts.contains(partitionCount) {
                throw reader.corrupt("a store of \(partitionCount) partitions")
            }
        }
        try reader.finish()
    }

    /// Refuses a store that is divided into another number of partitions than its reader serves.
    ///
    /// - Throws: `partitions`.
    package func require(partitions count: Int) throws(StoreError) {
        if partitionCount == count { return }
        throw StoreError(
            .partitions,
            message: "the store is divided into \(partitionCount) partitions; this router reads "
                + "stores of \(count)"
        )
    }

    /// Makes a description from its fields.
    package init(
        version: UInt32,
        identifier: Identifier,
        decisionSeed: DecisionSeed,
        madeAt: WallTime,
        partitionCount: Int = 1
    ) {
        self.version = version
        self.identifier = identifier
        self.decisionSeed = decisionSeed
        self.madeAt = madeAt
        self.partitionCount = partitionCount
    }
}
