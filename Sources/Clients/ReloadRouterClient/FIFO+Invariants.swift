internal import Basics

extension FIFO {
    /// Checks that the elements before `head` have been removed, and those from there on have not.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            head <= elements.count,
            of: "FIFO",
            otherwise: "\(head) of \(elements.count) elements are removed"
        )
        for (index, element) in elements.enumerated() {
            try checkInvariant(
                (element == nil) == (index < head),
                of: "FIFO",
                otherwise: "element \(index) is \(element == nil ? "missing" : "still there"), "
                    + "and the first \(head) are removed"
            )
        }
    }
}
