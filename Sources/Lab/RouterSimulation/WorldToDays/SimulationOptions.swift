package import Basics

/// The options of a simulated day.
///
/// The same options give the same run, byte for byte.
package struct SimulationOptions: Equatable, Sendable {
    /// The number of devices, up to 4 million.
    package var devices = 100_000
    /// The number of hours to record, after an hour in which the devices connect.
    package var hours = 24
    /// The hour at which the record begins, counted from the first Monday's midnight.
    package var firstHour = 0
    /// The seed of all random choices, those of the router included.
    package var seed: UInt64 = 1
    /// The key of the router's hash tables, on which the run does not depend.
    package var hashKey = HashKey.ofRuntime

    /// Creates the options of a day with 100,000 devices.
    package init() {}

    /// The first problem with these options, as a sentence; nil if there is none.
    package var problem: String? {
        if !(1...4_000_000).contains(devices) {
            return "--devices is \(devices); it must be from 1 to 4000000"
        }
        if !(1...168).contains(hours) { return "--hours is \(hours); it must be from 1 to 168" }
        if !(0...167).contains(firstHour) {
            return "--from is \(firstHour); it must be from 0 to 167"
        }
        return nil
    }
}
