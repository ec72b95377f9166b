internal import Basics

/// The number of a name that kinds of an app declare as a field; reused once no kind declares the
/// name any more.
struct FieldID: SlotNumber {
    let rawValue: UInt32
}
