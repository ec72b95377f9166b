internal import ByteStorage
internal import StoreFormat

extension ReloadBudgetHabit {
    /// Puts four bytes: average of views, today's, age.
    func write(to writer: inout StoreWriter) {
        writer.put(average)
        writer.put(today)
        writer.put(age)
    }

    /// Reads four bytes; nil if the average is more than views are counted in a day.
    init?(reading bytes: ByteView) {
        self.init(isAddedAtStartOfDay: false)
        average = bytes.littleEndian(UInt16.self, at: 0)
        today = bytes[2]
        age = bytes[3]
        if Int(average) > Int(UInt8.max) * Self.view { return nil }
    }
}
