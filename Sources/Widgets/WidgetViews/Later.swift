/// What a view says only once the room that it has is known: a function of that.
///
/// Two are equal if they say the same of the usual room.
public struct Later<Room, Value: Equatable>: Equatable, @unchecked Sendable {
    // `Sendable`, because content is passed on whole: the thread that lays it out calls it.
    /// What is said of the usual room.
    package let usual: Value
    private let make: (Room) -> Value

    init(usual room: Room, make: @escaping (Room) -> Value) {
        let environment = EnvironmentValues.now
        let make = { room in EnvironmentValues.run({ $0 = environment }, body: { make(room) }) }
        usual = make(room)
        self.make = make
    }

    /// What is said of some room, in the environment of the view.
    package func value(in room: Room) -> Value { make(room) }

    /// Whether both say the same of the usual room.
    public static func == (left: Later, right: Later) -> Bool { left.usual == right.usual }
}
