internal import Basics
internal import ReloadRouterClient

/// What the rules need to know of a widget: the causes for which it may be reloaded, and its
/// charges.
///
/// All of it follows from what devices and publishers *sent*, and from the router's RELOADs; the
/// checker shares no state with the router.
struct CheckedWidget {
    /// What holds of it besides.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// The router has the widget.
        static let exists = Marks(rawValue: 1)
        /// `dueTime` is the end of the timeline.
        static let ends = Marks(rawValue: 2)
        /// Its app has requested a reload.
        static let requested = Marks(rawValue: 4)
        /// The owner has looked at it while a cause was open.
        static let viewed = Marks(rawValue: 8)
        /// The device has moved, and the kind uses the location.
        static let moved = Marks(rawValue: 16)
        /// No timeline has answered its last RELOAD.
        static let unanswered = Marks(rawValue: 32)
        /// The session is new, and the unanswered RELOAD is to be repeated.
        static let repeats = Marks(rawValue: 64)
        /// A cause was open when the widget was configured anew.
        static let inherited = Marks(rawValue: 128)
    }

    var device: UInt32
    /// The topic in its configuration.
    var topic: UInt32
    /// The push clock when a RELOAD last named the widget, or when it got its topic. Only later
    /// pushes are causes.
    var cleared: UInt32
    /// When its timeline asks for a reload, from the start of the run; nil for never.
    var dueTime: Milliseconds?
    /// When it was last charged, from the start of the run; nil for never.
    var chargeTime: Milliseconds?
    /// The sequence number of the last RELOAD that named it.
    var reload: UInt32 = 0
    /// The half hours of its charges within 24 h.
    var charges: [Int] = []
    /// The most of them so far, including those of an earlier widget with the same number.
    var most = 0
    var kind: UInt8
    var marks: Marks = []

    init(device: UInt32, topic: UInt32, cleared: UInt32, kind: UInt8) {
        self.device = device
        self.topic = topic
        self.cleared = cleared
        self.kind = kind
    }
}

/// A RELOAD as the checker judges it: with numbers for names.
struct SimulatedReload {
    var device: UInt32 = 0
    var seq: UInt64 = 0
    var cause = ReloadCause.push
    /// A bit for each `World.Kind` that the RELOAD names.
    var kinds: UInt8 = 0
    /// The widgets that the RELOAD names, by their numbers on the device.
    var named: ContiguousArray<UInt32> = []

    init() {}

    /// Finds the numbers of what a RELOAD names; nil if it names nothing, or what the device does
    /// not have.
    init?(_ event: ReloadEvent, of device: UInt32, model: SimulatedDevice) {
        guard event.device == model.name, let cause = ReloadCause(rawValue: event.cause) else {
            return nil
        }
        self.device = device
        seq = event.seq
        self.cause = cause
        for kind in World.Kind.allCases where event.kinds.contains(kind.name) {
            kinds |= 1 << kind.rawValue
        }
        for id in event.widgets {
            guard let position = model.index(ofWidget: id) else { return nil }
            named.append(UInt32(position))
        }
        if named.isEmpty || kinds == 0 { return nil }
    }

    func has(_ kind: World.Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

    func broken(_ rule: String, text: String) -> Violation {
        Violation(rule, text: text, device: device)
    }
}
