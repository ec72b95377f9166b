/// The estimated cost of the loop's work, in units of about one nanosecond of its thread.
///
/// Work is charged where it is done, so that the same inputs cost the same in every simulation. A
/// server measures its work, too, and lets its peers pay what was measured (`LoopMeter`): for it
/// these estimates decide only how much is begun at once. They are for one core of an ordinary
/// server; only those of frames, scanned bytes and WIDGETS were measured.
@usableFromInline
package enum WorkCost {
    // Work that any peer can cause, whatever it sends.

    /// A read from the kernel, and the write of the answers to what it returned.
    @inlinable @inline(__always) package static var read: Int { 6_000 }
    /// The number of bytes that are read and discarded for one unit of work.
    @inlinable @inline(__always) package static var unreadBytes: Int { 8 }
    /// An accepted connection.
    @inlinable @inline(__always) package static var accept: Int { 25_000 }
    /// New keys for one direction of a TLS session.
    @inlinable @inline(__always) package static var newKeys: Int { 12_000 }
    /// A connection that is looked at when one is to make room for another.
    @inlinable @inline(__always) package static var displacement: Int { 60 }
    /// A closed connection.
    @inlinable @inline(__always) package static var close: Int { 15_000 }

    /// A request over HTTP, without its read: its head is parsed, its sender judged, and its answer
    /// written.
    @inlinable @inline(__always) package static var request: Int { 8_000 }

    // The contents of frames.

    /// A frame with any content: header, session, answer.
    @inlinable @inline(__always) package static var frame: Int { 25 }
    /// A byte of JSON that the scanner reads.
    @inlinable @inline(__always) package static var scannedByte: Int { 1 }
    /// A new session: its names are looked up, and its credentials compared.
    @inlinable @inline(__always) package static var session: Int { 10_000 }
    /// A refused frame: wording the sentence that says why.
    @inlinable @inline(__always) package static var refusal: Int { 5_000 }
    /// A known name compared with an unknown one, to say which was probably meant.
    @inlinable @inline(__always) package static var spelling: Int { 3_000 }

    // Matching.

    /// A value of a push that some rule reads: sorting it, and removing duplicates.
    @inlinable @inline(__always) package static var field: Int { 60 }
    /// An attempt to make a key from a push's values, whether or not the push has all of them; or
    /// another look at input that was kept.
    @inlinable @inline(__always) package static var look: Int { 50 }
    /// A key looked up in the matcher's table.
    @inlinable @inline(__always) package static var probe: Int { 100 }
    /// A condition evaluated for a candidate, without the text that it reads.
    @inlinable @inline(__always) package static var condition: Int { 60 }
    /// A byte of text or pattern that a condition reads.
    @inlinable @inline(__always) package static var textByte: Int { 4 }
    /// A widget found under a key.
    @inlinable @inline(__always) package static var posting: Int { 10 }

    // Outcomes, for publishers that ask for them.

    /// An OUTCOME: made, encoded, and read again if its push came over HTTP.
    @inlinable @inline(__always) package static var outcome: Int { 5_000 }
    /// An explanation of why a push does not match a widget, of the simplest rule.
    @inlinable @inline(__always) package static var explanation: Int { 15_000 }

    // Devices and their widgets.

    /// A record of a device, widget or schedule that a walk visits.
    @inlinable @inline(__always) package static var record: Int { 30 }
    /// A decision on a widget's reload.
    @inlinable @inline(__always) package static var decision: Int { 250 }
    /// A widget listed in WIDGETS: checked, compared with the stored one, and stored.
    @inlinable @inline(__always) package static var registration: Int { 2_500 }
    /// A value of a configuration: compared with the stored one, and stored.
    @inlinable @inline(__always) package static var storedValue: Int { 150 }
    /// A combination of values for which a key of a widget is considered, or made.
    @inlinable @inline(__always) package static var combination: Int { 100 }
    /// A byte of WIDGETS, which is read several times and stored.
    @inlinable @inline(__always) package static var storedByte: Int { 5 }
    /// A date for which a slot in its origin's ledger is assigned.
    @inlinable @inline(__always) package static var slot: Int { 2_000 }
    /// A RELOAD of one widget: made, encoded and written.
    @inlinable @inline(__always) package static var reload: Int { 1_200 }
    /// Each further widget named in a RELOAD.
    @inlinable @inline(__always) package static var reloadedWidget: Int { 100 }
}
