extension PushFields {
    /// Asserts that the ranges of the pushes together cover all of `values`, and the texts of the
    /// values all of `texts`, without a gap or an overlap.
    ///
    /// - Parameter catalog: the fields; no kind may have changed since the batch began.
    package func checkInvariants(catalog: borrowing FieldCatalog) {
        var (end, textEnd) = (0, 0)
        for push in pushes {
            assert(Int(push.first) == end && push.end >= push.first, "values between two pushes")
            assert(push.generation <= catalog.generation, "a push of a later generation")
            end = Int(push.end)
        }
        assert(end == values.count, "values after the last push")
        for value in values {
            assert(Int(value.textStart) == textEnd, "a text is between two values")
            textEnd += Int(value.textCount)
        }
        assert(textEnd == texts.count, "texts after the last value")
    }
}
