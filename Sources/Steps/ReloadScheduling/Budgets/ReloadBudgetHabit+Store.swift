internal import StoreFormat

extension ReloadBudgetHabit {
    /// Writes four bytes: average of views, today's views, age.
    func write(to writer: inout StoreWriter) {
        writer.put(average)
        writer.put(today)
        writer.put(age)
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        self.init(isAddedAtStartOfDay: false)
        average = try reader.read(UInt16.self)
        today = try reader.read(UInt8.self)
        age = try reader.read(UInt8.self)
        if Int(average) > Int(UInt8.max) * Self.view {
            throw reader.corrupt("a widget is looked at more often than is counted")
        }
    }
}
