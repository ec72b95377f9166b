internal import Basics

/// A set of devices, with one bit for each number up to the highest that was inserted.
///
/// Inserting and removing devices over and over takes no more memory than that.
struct DeviceSet {
    private var words: ContiguousArray<UInt64> = []

    /// Whether the device is in the set.
    @inline(__always)
    func contains(_ device: DeviceID) -> Bool {
        let word = device.index >> 6
        return word < words.count && words[word] & Self.bit(device) != 0
    }

    /// Adds a device, and returns whether it was not in the set before.
    @discardableResult
    @inline(__always)
    mutating func insert(_ device: DeviceID) -> Bool {
        let word = device.index >> 6
        if word >= words.count { grow(to: word + 1) }
        let isNew = words[word] & Self.bit(device) == 0
        words[word] |= Self.bit(device)
        return isNew
    }

    /// Removes a device, and returns whether it was in the set.
    @inline(__always)
    mutating func remove(_ device: DeviceID) -> Bool {
        if !contains(device) { return false }
        words[device.index >> 6] &= ~Self.bit(device)
        return true
    }

    private static func bit(_ device: DeviceID) -> UInt64 { 1 << UInt64(device.rawValue & 63) }

    @inline(never)
    private mutating func grow(to count: Int) {
        words.append(contentsOf: repeatElement(0, count: count - words.count))
    }

    /// Removes and returns the device with the highest number; nil if the set is empty.
    mutating func popLast() -> DeviceID? {
        while let word = words.last {
            if word == 0 {
                words.removeLast()
                continue
            }
            let bit = 63 - word.leadingZeroBitCount
            words[words.count - 1] &= ~(1 << UInt64(bit))
            return DeviceID(index: (words.count - 1) << 6 | bit)
        }
        return nil
    }
}
