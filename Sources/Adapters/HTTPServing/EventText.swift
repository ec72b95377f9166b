/// Formats server-sent events (`text/event-stream`).
///
///     event: push          omitted for an event named `message`
///     id: 7                omitted for an event without an id
///     data: first line
///     data: second line
///                          an empty line ends the event
enum EventText {
    /// The bytes of one event; name and id are omitted if nil.
    static func bytes(event: String?, data: String, id: UInt64? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.utf8.count + 32)
        if let event {
            bytes += "event: ".utf8
            bytes += event.utf8.filter { $0 != lineFeed && $0 != carriageReturn }
            bytes.append(lineFeed)
        }
        if let id { bytes += "id: \(id)\n".utf8 }
        appendLines(of: data, to: &bytes)
        bytes.append(lineFeed)
        return bytes
    }

    /// Writes a `data:` line for each line of a text. A line ends with a line feed, a carriage
    /// return, or both.
    private static func appendLines(of data: String, to bytes: inout [UInt8]) {
        bytes += "data: ".utf8
        var previous: UInt8 = 0
        for byte in data.utf8 {
            defer { previous = byte }
            if byte == lineFeed && previous == carriageReturn { continue }
            if byte == lineFeed || byte == carriageReturn {
                bytes.append(lineFeed)
                bytes += "data: ".utf8
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(lineFeed)
    }

    private static var lineFeed: UInt8 { 0x0a }
    private static var carriageReturn: UInt8 { 0x0d }
}
