internal import Basics

extension KeySpaces {
    /// Asserts that all spaces are found by what makes their keys, and that their references are
    /// counted.
    ///
    /// - Parameter references: how many keys and shapes refer to each space.
    func checkInvariants(references: [SpaceID: Int]) {
        assert(index.count == spaces.count, "the tables of spaces differ in size")
        assert(references.count == spaces.count, "a space has no references")
        for (number, count) in references {
            let space = self[number]
            assert(Int(space.references) == count, "references of space \(number)")
            assert(find(space) == number, "space \(number) is not found")
            assert((space.form == .named) == (space.pivot == .none), "space \(number) has a list")
            assert(space.attributeCount > 0 && space.attributeCount <= KeySpace.attributeLimit)
            for position in 1..<max(1, Int(space.attributeCount)) {
                let isAscending = space.attributes[position - 1] < space.attributes[position]
                assert(isAscending, "the attributes of space \(number) ascend")
            }
        }
    }
}
