package import DataStructures

/// Which day is simulated.
///
/// The same options give the same run, to the byte.
package struct SimulationOptions: Equatable, Sendable {
    package var devices = 100_000
    /// How many hours are recorded, after an hour in which the devices connect.
    package var hours = 24
    /// The hour of the first Monday at which the record begins.
    package var firstHour = 0
    package var seed: UInt64 = 1
    /// Of the router's tables; the run does not depend on it.
    package var hashKey = HashKey.ofRuntime

    package init() {}

    /// What is wrong with these options, as a sentence, or nil.
    package var problem: String? {
        if !(1...4_000_000).contains(devices) {
            return "--devices is \(devices); it must be from 1 to 4000000"
        }
        if !(1...168).contains(hours) {
            return "--hours is \(hours); it must be from 1 to 168"
        }
        if !(0...167).contains(firstHour) {
            return "--from is \(firstHour); it must be from 0 to 167"
        }
        return nil
    }
}
