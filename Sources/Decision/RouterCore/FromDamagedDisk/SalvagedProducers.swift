/// The producers that a salvage keeps, by the numbers that they had, with the last push of each.
///
/// The journal has a producer's name only where a session of it begins, and elsewhere its number. A
/// new producer got the lowest number that was free, which is known as long as all others are.
struct SalvagedProducers {
    struct Producer {
        var app: Int
        var name: [UInt8]
        var lastSeq: UInt64
        /// The checkpoint that its record is of; 0 if there is none.
        var epoch: UInt32 = 0
        /// The last push that the table has.
        let storedSeq: UInt64

        init(app: Int, name: [UInt8], lastSeq: UInt64, epoch: UInt32 = 0) {
            (self.app, self.name, self.epoch) = (app, name, epoch)
            (self.lastSeq, storedSeq) = (lastSeq, lastSeq)
        }
    }

    private struct Name: Hashable {
        let app: Int
        let name: [UInt8]
    }

    private(set) var known: [Int: Producer] = [:]
    private var numbers: [Name: Int] = [:]
    /// No lower number is free.
    private var lowestFree = 0
    /// The accepted pushes of producers that are not known.
    private(set) var namelessPushes: UInt64 = 0

    /// The number of a producer; nil if it is not known.
    func find(_ name: [UInt8], of app: Int) -> Int? { numbers[Name(app: app, name: name)] }

    /// Adds a producer with its number; of pages of two checkpoints, the newer counts.
    mutating func insert(_ producer: Producer, at number: Int) {
        let name = Name(app: producer.app, name: producer.name)
        if let former = numbers[name] {
            if known[former]!.epoch > producer.epoch { return }
            known[former] = nil
        }
        known[number] = producer
        numbers[name] = number
    }

    /// Adds a new producer, and returns the lowest free number.
    mutating func insert(_ name: [UInt8], of app: Int) -> Int {
        while known[lowestFree] != nil { lowestFree += 1 }
        insert(Producer(app: app, name: name, lastSeq: 0), at: lowestFree)
        return lowestFree
    }

    mutating func forget(_ number: Int) {
        guard let producer = known.removeValue(forKey: number) else { return }
        numbers[Name(app: producer.app, name: producer.name)] = nil
        lowestFree = min(lowestFree, number)
    }

    /// Discards what was counted of the journal for a number, which was that of another producer.
    mutating func discardPushes(of number: Int) {
        guard let producer = known[number] else { return }
        known[number]!.lastSeq = producer.storedSeq
    }

    /// Counts a batch of pushes that were accepted, up to a number.
    mutating func accepted(upTo lastSeq: UInt64, count: UInt64, of number: Int) {
        guard let producer = known[number] else {
            namelessPushes &+= count
            return
        }
        known[number]!.lastSeq = max(producer.lastSeq, lastSeq)
    }
}
