/// What steps of the loop's work cost, in units of about one nanosecond of its thread.
///
/// Counted where the work happens, never measured: the same inputs cost the same in every run, so a
/// simulation and a replay divide work as the live router did. The figures are
/// estimates for one core of an ordinary server; only frames, scanned bytes and WIDGETS were measured.
@usableFromInline
package enum WorkCost {
    // What a peer makes the server do, whatever it says.

    /// A read from the kernel, and the write of the answers to what it brought.
    @inlinable @inline(__always) package static var read: Int { 6_000 }
    /// As many bytes are read for one unit and thrown away.
    @inlinable @inline(__always) package static var unreadBytes: Int { 8 }
    /// A connection that is accepted.
    @inlinable @inline(__always) package static var accept: Int { 25_000 }
    /// A connection that ends.
    @inlinable @inline(__always) package static var close: Int { 15_000 }

    // What frames say.

    /// A frame, whatever is in it: header, session, answer.
    @inlinable @inline(__always) package static var frame: Int { 25 }
    /// A byte that the JSON scanner passes.
    @inlinable @inline(__always) package static var scannedByte: Int { 1 }
    /// A session that begins: its names are looked up, and its credentials compared.
    @inlinable @inline(__always) package static var session: Int { 10_000 }
    /// A frame that is refused: the sentence that says why.
    @inlinable @inline(__always) package static var refusal: Int { 5_000 }

    // Matching.

    /// A value of a push that some rule looks at: put in order, and told from its repeats.
    @inlinable @inline(__always) package static var field: Int { 60 }
    /// A key that is made of a push's values, or found not to be there to be made.
    @inlinable @inline(__always) package static var look: Int { 50 }
    /// A key that a push looks up in the matcher's table.
    @inlinable @inline(__always) package static var probe: Int { 100 }
    /// A condition evaluated for a candidate, without the text that it reads.
    @inlinable @inline(__always) package static var condition: Int { 60 }
    /// A byte of text or pattern that a condition reads.
    @inlinable @inline(__always) package static var textByte: Int { 4 }
    /// A widget found under a key.
    @inlinable @inline(__always) package static var posting: Int { 10 }

    // Devices and their widgets.

    /// A record of a device, a widget or a schedule that is walked over.
    @inlinable @inline(__always) package static var record: Int { 30 }
    /// A widget whose reload is decided.
    @inlinable @inline(__always) package static var decision: Int { 250 }
    /// A widget that is listed in WIDGETS: checked, compared with what is stored, and stored.
    @inlinable @inline(__always) package static var registration: Int { 2_500 }
    /// A byte of WIDGETS, which is read several times over and kept.
    @inlinable @inline(__always) package static var storedByte: Int { 5 }
    /// A date that is given a place in its origin's ledger.
    @inlinable @inline(__always) package static var slot: Int { 2_000 }
    /// A RELOAD of one widget: made, encoded and written.
    @inlinable @inline(__always) package static var reload: Int { 1_200 }
    /// Each further widget that it names.
    @inlinable @inline(__always) package static var reloadedWidget: Int { 100 }
}
