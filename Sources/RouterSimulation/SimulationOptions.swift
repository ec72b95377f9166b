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
    /// The rules that every run is held to.
    package var checks = SimulationChecks.all

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

/// The rules of `Checker`, each of which can be left out.
package struct SimulationChecks: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No RELOAD for a date before the date.
    package static let dates = SimulationChecks(rawValue: 1)
    /// No RELOAD without something that asks for it, and none that a push does not find.
    package static let matches = SimulationChecks(rawValue: 2)
    /// No instance is charged more than its kind's largest allowance in 24 hours.
    package static let budget = SimulationChecks(rawValue: 4)
    /// Charged reloads of an instance are as far apart as its kind says.
    package static let spacing = SimulationChecks(rawValue: 8)
    /// What asks for a reload ends in one, or in a reason that the router counts.
    package static let reasons = SimulationChecks(rawValue: 16)
    /// Pending work never exceeds the number of widgets.
    package static let bounded = SimulationChecks(rawValue: 32)
    /// The ledgers' slots sum up.
    package static let slots = SimulationChecks(rawValue: 64)

    /// A newer timeline takes the place of a date that has come and waits.
    package static let newest = SimulationChecks(rawValue: 128)

    package static let all: SimulationChecks = [
        .dates, .matches, .budget, .spacing, .reasons, .bounded, .slots, .newest,
    ]
}
