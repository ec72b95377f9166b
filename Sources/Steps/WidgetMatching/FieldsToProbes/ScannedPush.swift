package import Basics

/// A push as scanning leaves it: the payload with the values in it that rules consider, and what to
/// look up for them. `WidgetMatcher.enqueue` needs nothing else, on whatever loop it is.
///
///     payload     {"app":"com.mygame","character":"elf-42","tags":["x","y"],"level":3e1}
///     fields      character = "elf-42"     tags = list, "x", "y"     level = 30
///     probes      the keys that are made of these values, in the spaces of the vocabulary
///
/// It is a view of the scanner's memory, valid until the scanner scans the next payload, and as
/// long as the payload is.
package struct ScannedPush {
    /// The app whose widgets it may match.
    package let app: AppID
    /// The kinds of the widgets that the push may match; nil for all.
    package let kinds: KindNames?
    /// Whether its reloads go first.
    package let isUrgent: Bool
    /// When it expires; `.max` for never.
    package let expiresAt: WallTime
    /// Whether the push has lists, so that a field may have several values.
    let hasLists: Bool
    /// The vocabulary's revision, of which attributes and spaces are numbers.
    let revision: UInt64
    /// See `PayloadReader.Traits`.
    let longTextByteCount: Int
    let bytes: ScannedBytes
    /// The values; sorted if there are lists or many values.
    let fields: ElementView<ScannedField>
    /// The objects in the lists of the push; the first has the number 1.
    let contexts: ElementView<ScannedContext>
    let probes: ElementView<ScannedProbe>
    /// The fields of combined keys, as indexes of `fields`; see `ScannedProbe.word`.
    let combinedFields: ElementView<UInt32>

    /// The payload as it was received.
    package var payload: ByteView { bytes.payload }
}

extension GrowingBuffer {
    /// A view of the elements, valid until the buffer changes.
    @inline(__always)
    var view: ElementView<Element> {
        unsafe ElementView(base: UnsafePointer(elements), count: count)
    }
}
