/// A regular expression as a tree.
indirect enum RegexNode: Equatable {
    case scalar(UInt32)
    /// The set of that number.
    case set(Int)
    /// One after the other; none is the empty text.
    case sequence([RegexNode])
    /// At least two.
    case alternatives([RegexNode])
    /// As often as from `least` to `most`, or any number of times from `least` on.
    case repetition(RegexNode, least: Int, most: Int?)
}
