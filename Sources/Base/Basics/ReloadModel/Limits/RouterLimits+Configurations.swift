/// What the configurations of widgets may cost.
extension RouterLimits {
    /// The most values in the configurations of one device's widgets together; each element of a
    /// list counts.
    ///
    /// Beyond: REJECT `configuration-invalid`. Storing a value, with the keys that are made of it,
    /// takes a fraction of a microsecond, so that of one WIDGETS takes a millisecond or two.
    @inlinable package static var valuesPerDevice: Int { 2_048 }
    /// The bytes of text in a push, beyond the first few of each text, that conditions on whole
    /// texts may read; a byte counts once for each such condition of a rule, and once for each of
    /// a widget.
    ///
    /// Beyond: for the conditions of rules themselves, the push is refused. For the patterns that
    /// widgets bring, the widgets whose devices have the most patterns are left out of the push.
    /// Matching all in portions would be possible, but others would wait for it: this is 1 to 2
    /// ms, a text of 60 KB for 8 different wildcards, or of 1 KB for 520. Short texts are free,
    /// because their cost for a million widgets is that of the fan-out, not of the text.
    @inlinable package static var patternBytes: Int { 500_000 }
    /// The bytes of text in a push, counted like `patternBytes`, that the patterns of one device's
    /// widgets may read, if the device has more than `freePatterns`.
    ///
    /// Beyond: its widgets whose rules read the text are left out of the push.
    @inlinable package static var devicePatternBytes: Int { 65_536 }
    /// How many patterns a device may have whatever text they read, as far as `patternBytes` allows
    /// it; a regular expression counts for several.
    @inlinable package static var freePatterns: Int { 32 }
    /// The size of all patterns of one device's widgets: a wildcard counts 1, a regular expression
    /// as many as it has instructions, with more for its classes, and 16 at least.
    ///
    /// Beyond: REJECT `configuration-invalid`.
    @inlinable package static var patternsPerDevice: Int { 2_048 }
}
