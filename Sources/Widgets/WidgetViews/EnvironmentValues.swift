/// The values that views get from their environment.
///
/// Source: <https://developer.apple.com/documentation/swiftui/environmentvalues>.
public struct EnvironmentValues {
    /// The values of the view whose body runs: `run` sets them for the time of a call, in which
    /// that view makes the views below it.
    @TaskLocal private static var current = Holder(values: EnvironmentValues())

    /// What makes the values `Sendable`, as those of tasks must be, since a task that another one
    /// begins inherits them. `run` calls synchronous code, and views begin no tasks: so one task
    /// alone has them.
    private struct Holder: @unchecked Sendable {
        let values: EnvironmentValues
    }

    private var values: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: Any] = [:]
    private var named: [AnyKeyPath: Any] = [:]

    /// Makes the values that nothing has changed.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// The object of a type; nil if the environment has none.
    subscript<Object>(object type: Object.Type) -> Object? {
        get { objects[ObjectIdentifier(type)] as? Object }
        set { objects[ObjectIdentifier(type)] = newValue }
    }

    /// The object of a type.
    ///
    /// Traps if the environment has none.
    func required<Object>(_ type: Object.Type) -> Object {
        guard let object = self[object: type] else {
            preconditionFailure("no \(type) was set with .environment or .environmentObject")
        }
        return object
    }

    /// A value that SwiftUI or WidgetKit names, by the path of its property: `\.colorScheme`.
    package func value<Value>(_ path: KeyPath<EnvironmentValues, Value>, or other: Value) -> Value {
        named[path] as? Value ?? other
    }

    /// Sets a value that SwiftUI or WidgetKit names.
    package mutating func set<Value>(_ path: KeyPath<EnvironmentValues, Value>, to value: Value) {
        named[path] = value
    }

    /// The values of the view whose body is running.
    package static var now: EnvironmentValues { current.values }

    /// Runs code in a changed environment.
    package static func run<Result>(
        _ change: (inout EnvironmentValues) -> Void,
        body: () -> Result
    ) -> Result {
        var values = current.values
        change(&values)
        return $current.withValue(Holder(values: values)) { body() }
    }
}
