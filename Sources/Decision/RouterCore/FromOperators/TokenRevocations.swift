internal import Basics
internal import StoreFormat

/// The devices whose signed tokens are no longer good if they were issued before a date: operators
/// have revoked them, because one of them has leaked.
///
/// A revocation outlives the device's registration, and its app's declaration; otherwise the end of
/// either would make a stolen token good again. It ends when an operator withdraws it.
struct TokenRevocations {
    /// The tokens of one device.
    struct Entry: Equatable {
        let app: AppID
        let device: [UInt8]
        /// Tokens that were issued before this date are not good, nor are those that do not say
        /// when.
        var before: WallTime
    }

    private struct Key: Hashable {
        let app: AppID
        let device: [UInt8]
    }

    /// The most devices of all apps; further ones are refused. Who has to revoke more takes the key
    /// out of the app file.
    static var limit: Int { 16_384 }
    /// The most devices of an app, so that no app takes the room of others.
    static var appLimit: Int { 4_096 }

    /// In the order in which they came, but that the last one takes the place of one that ends.
    private(set) var entries: [Entry] = []
    /// Where the entry of a device is.
    private var index: [Key: Int] = [:]
    private var counts: [AppID: Int] = [:]

    /// The date before which the tokens of a device are revoked; nil for none.
    func before(_ device: [UInt8], of app: AppID) -> WallTime? {
        find(device, of: app).map { entries[$0].before }
    }

    /// The place of a device's entry; nil if there is none.
    func find(_ device: [UInt8], of app: AppID) -> Int? {
        entries.isEmpty ? nil : index[Key(app: app, device: device)]
    }

    /// The number of an app's devices.
    func count(of app: AppID) -> Int { counts[app] ?? 0 }

    /// Whether a date can be set for a device.
    func hasRoom(for device: [UInt8], of app: AppID) -> Bool {
        find(device, of: app) != nil
            || entries.count < Self.limit && count(of: app) < Self.appLimit
    }

    /// Sets the date of a device, or removes it; there must be room.
    mutating func set(_ before: WallTime?, of device: [UInt8], app: AppID) {
        let key = Key(app: app, device: device)
        guard let before else { return remove(key) }
        if let place = index[key] {
            entries[place].before = before
            return
        }
        precondition(hasRoom(for: device, of: app), "there is no room for a revocation")
        index[key] = entries.count
        counts[app, default: 0] += 1
        entries.append(Entry(app: app, device: device, before: before))
    }

    private mutating func remove(_ key: Key) {
        guard let place = index.removeValue(forKey: key) else { return }
        let left = count(of: key.app) - 1
        counts[key.app] = left > 0 ? left : nil
        let last = entries.removeLast()
        if place == entries.count { return }
        entries[place] = last
        index[Key(app: last.app, device: last.device)] = place
    }

    /// Checks that each entry is found, and that they are counted by app.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            index.count == entries.count && counts.values.reduce(0, +) == entries.count
                && counts.values.allSatisfy { (1...Self.appLimit).contains($0) }
                && entries.count <= Self.limit,
            otherwise: "there are \(entries.count) entries, \(index.count) are found, and "
                + "\(counts.values.reduce(0, +)) counted"
        )
        for (place, entry) in entries.enumerated() {
            try checkInvariant(
                find(entry.device, of: entry.app) == place,
                otherwise: "the entry at \(place) is not found there"
            )
        }
    }
}

// MARK: - The table and the log

extension TokenRevocations {
    /// Writes all of them: app, device, date.
    func write(to writer: inout StoreWriter) {
        writer.put(varint: UInt64(entries.count))
        for entry in entries {
            writer.put(number: entry.app)
            entry.device.withByteView { writer.put(counted: $0) }
            writer.put(signed: entry.before)
        }
    }

    /// Reads all of them.
    static func entries(reading reader: inout StoreReader) throws(StoreError) -> [Entry] {
        var entries: [Entry] = []
        for _ in 0..<(try reader.readCount(atMost: limit)) {
            let app = try reader.readNumber(of: AppID.self)
            let device = try reader.readCounted().array
            if !(1...RouterLimits.identifierBytes).contains(device.count) {
                throw reader.corrupt("a name of \(device.count) bytes")
            }
            let before = try reader.readSigned(WallTime.self)
            if !isPossible(before) { throw reader.corrupt("an impossible date") }
            entries.append(Entry(app: app, device: device, before: before))
        }
        return entries
    }

    /// Whether a date is one that a token may have.
    static func isPossible(_ date: WallTime) -> Bool {
        (WallTime.zero...WallTime.lastDate).contains(date)
    }
}

extension TokenRevocations {
    /// Restores the revocations of a checkpoint, which has this number of apps.
    mutating func restore(apps: Int, from reader: inout StoreReader) throws(StoreError) {
        for entry in try Self.entries(reading: &reader) {
            if entry.app.index >= apps {
                throw reader.corrupt("there is no app \(entry.app)")
            }
            if find(entry.device, of: entry.app) != nil {
                throw reader.corrupt("a device occurs twice")
            }
            if !hasRoom(for: entry.device, of: entry.app) {
                throw reader.corrupt("an app has more devices than it may")
            }
            set(entry.before, of: entry.device, app: entry.app)
        }
    }

    /// Why a revocation does not fit, of this number of apps; nil if it fits.
    func problem(
        with before: WallTime?,
        of device: ByteView,
        app: AppID,
        apps: Int
    ) -> String? {
        if app.index >= apps { return "there is no app \(app)" }
        let device = device.array
        guard let before else {
            return find(device, of: app) == nil
                ? "no tokens of the device are revoked" : nil
        }
        if !Self.isPossible(before) { return "an impossible date" }
        return hasRoom(for: device, of: app) ? nil : "there is no room for it"
    }
}
