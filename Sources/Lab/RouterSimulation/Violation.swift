/// A rule that a run has broken: it stops there.
///
///     dates      no RELOAD for a date before the date
///     matches    no RELOAD without something that asks for it, and none that a push does not find
///     budget     no instance is charged more in 24 hours than it may be, as often as it is seen
///     spacing    charged reloads of an instance are as far apart as its kind says
///     reasons    what asks for a reload ends in one, or in a reason that the router counts
///     bounded    pending work never exceeds the number of widgets
///     slots      the slots that the ledgers know of are those that widgets hold
///     protocol   what is sent is legal
package struct Violation: Error, Equatable, Sendable {
    /// The rule's name.
    package var rule: String
    /// What happened, as a sentence.
    package var text: String
    package var device: UInt32?
    package var widget: UInt32?

    init(_ rule: String, _ text: String, device: UInt32? = nil, widget: UInt32? = nil) {
        self.rule = rule
        self.text = text
        self.device = device
        self.widget = widget
    }
}

/// Where and when a run broke a rule, and how to see it again.
package struct SimulationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var violation: Violation
    package var options: SimulationOptions
    package var mode: String
    /// Milliseconds since 1970, in the simulated world.
    package var wall: Int64
    /// The widget's id on its device, and its kind.
    package var place: String

    package var description: String {
        "\(violation.rule): \(place)\(violation.text)\n"
            + "seed \(options.seed), mode \(mode), at \(SimulatedTime.text(wall)) (\(wall))\n"
            + "again: \(command)"
    }

    private var command: String {
        "reload-lab simulate --devices \(options.devices) --hours \(options.hours) "
            + "--from \(options.firstHour) --seed \(options.seed) --mode \(mode)"
    }
}
