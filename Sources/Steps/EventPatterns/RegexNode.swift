/// A regular expression as a tree, from `RegexParser` to `RegexCompiler`.
indirect enum RegexNode: Equatable {
    case scalar(UInt32)
    /// Any scalar of the set with this index in `RegexParser.sets`.
    case set(Int)
    /// The nodes one after the other; an empty list matches the empty text.
    case sequence([RegexNode])
    /// Any one of at least two nodes.
    case alternatives([RegexNode])
    /// The node `least` to `most` times; without a limit if `most` is nil.
    case repetition(RegexNode, least: Int, most: Int?)
}
