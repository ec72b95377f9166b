public import Foundation

/// The property wrapper `@State`: a value that a view owns. It lasts as long as the view's value.
///
/// Source: <https://developer.apple.com/documentation/swiftui/state>.
@propertyWrapper
public struct State<Value> {
    /// Access to the value, for `$value`.
    public let projectedValue: Binding<Value>

    /// Makes a state with its first value.
    public init(wrappedValue: Value) {
        var value = wrappedValue
        projectedValue = Binding(get: { value }, set: { value = $0 })
    }

    /// Makes a state with its first value.
    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    /// Makes an optional state.
    public init() where Value: ExpressibleByNilLiteral { self.init(wrappedValue: nil) }

    /// The value.
    public var wrappedValue: Value {
        get { projectedValue.wrappedValue }
        nonmutating set { projectedValue.wrappedValue = newValue }
    }
}

/// The property wrapper `@AppStorage`: a value in the user's defaults.
///
/// Source: <https://developer.apple.com/documentation/swiftui/appstorage>.
@propertyWrapper
public struct AppStorage<Value> {
    /// Access to the value, for `$value`.
    public let projectedValue: Binding<Value>

    /// Makes a value with a default.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        let store = store ?? .standard
        projectedValue = Binding(
            get: { store.object(forKey: key) as? Value ?? wrappedValue },
            set: { store.set($0, forKey: key) }
        )
    }

    /// Makes an optional value.
    public init(_ key: String, store: UserDefaults? = nil)
    where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, key, store: store)
    }

    /// The value.
    public var wrappedValue: Value {
        get { projectedValue.wrappedValue }
        nonmutating set { projectedValue.wrappedValue = newValue }
    }
}

/// The property wrapper `@Binding`: access to a value that another view owns.
///
/// Source: <https://developer.apple.com/documentation/swiftui/binding>.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// Makes a binding from what reads and writes a value.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    /// A value that cannot be changed.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(get: { value }, set: { _ in })
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself, for `$value`.
    public var projectedValue: Binding<Value> { self }

    /// Access to a part of the value.
    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(
            get: { wrappedValue[keyPath: path] },
            set: { wrappedValue[keyPath: path] = $0 }
        )
    }
}
