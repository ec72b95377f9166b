/// A rule that a run has broken, at which it stops.
///
///     dates      no RELOAD for a date before that date
///     matches    no RELOAD without an open cause, and none for a push about others
///     budget     no widget is charged more in 24 hours than its views allow
///     spacing    charged reloads of a widget are as far apart as its kind requires
///     reasons    every cause ends in a RELOAD, or with a reason that the router counts
///     bounded    pending causes never exceed the number of widgets
///     slots      the slots in the ledgers are those that widgets have
///     protocol   everything that is sent is legal
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

/// A violation with its place and time, and the command that reproduces it.
package struct SimulationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var violation: Violation
    package var options: SimulationOptions
    package var mode: String
    /// The simulated time, in ms since 1970.
    package var wall: Int64
    /// The device, and the widget with its kind, for the start of a sentence; empty if unknown.
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
