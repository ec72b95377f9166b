internal import Basics

/// Which widgets' patterns may read a push's texts: decided when the push comes, from its texts and
/// from what is stored.
///
///     load of the device    1 … most      all
///                           … spareMost   as many as `spare` allows, in the order of the search
///                           above         none: the widgets are left out of the push
struct PatternAllowance: BitwiseCopyable {
    /// The most patterns that a device may have for its widgets to be evaluated in any case.
    var most = UInt16(clamping: RouterLimits.patternsPerDevice)
    /// The most that it may have for them to be evaluated while `spare` lasts.
    var spareMost: UInt16 = 0
    /// The patterns that may still be evaluated of devices with more than `most`.
    var spare: Int32 = 0

    /// Takes what a widget's patterns need off `spare`.
    ///
    /// - Parameters:
    ///   - count: the number of the patterns.
    ///   - load: that of all patterns of the widget's device, above `most`.
    /// - Returns: false if there is not enough, or the device has too many.
    mutating func spend(_ count: Int, load: Int) -> Bool {
        if load > Int(spareMost) || count > Int(spare) { return false }
        spare -= Int32(count)
        return true
    }
}
