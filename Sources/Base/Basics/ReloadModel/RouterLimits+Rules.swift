/// What one step does for widgets and devices after an app file has changed their kinds: so that no
/// step does it for all.
extension RouterLimits {
    /// The widgets that adopt in one step what an app file has changed of their kinds, and the
    /// devices that are looked at for them; the others follow in the next.
    @inlinable package static var adoptionsPerStep: Int { 512 }
    /// See `adoptionsPerStep`.
    @inlinable package static var adoptingDevicesPerStep: Int { 4_096 }
    /// The work in one step that lets widgets match by what an app file has changed of their kinds'
    /// rules, in units of `WorkCost`; the others follow in the next.
    @inlinable package static var relinkWorkPerStep: Int { 400_000 }
    /// The devices of which one step counts again what their patterns cost, after rules have
    /// changed; the others follow in the next.
    @inlinable package static var patternLoadsPerStep: Int { 512 }
}
