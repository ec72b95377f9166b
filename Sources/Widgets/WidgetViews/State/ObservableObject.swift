/// An object whose changes views observe; widgets are made anew instead.
public protocol ObservableObject: AnyObject {}

/// The property wrapper `@Published`: a value of an `ObservableObject`.
@propertyWrapper
public struct Published<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Makes a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Makes a value.
    public init(initialValue: Value) {
        wrappedValue = initialValue
    }
}

/// The property wrapper `@StateObject`: an object that a view owns.
@propertyWrapper
public struct StateObject<Object: ObservableObject> {
    /// The object.
    public let wrappedValue: Object

    /// Makes the object.
    public init(wrappedValue: @autoclosure () -> Object) {
        self.wrappedValue = wrappedValue()
    }

    /// Access to the object's values.
    public var projectedValue: ObservedObject<Object>.Wrapper {
        ObservedObject(wrappedValue: wrappedValue).projectedValue
    }
}

/// The property wrapper `@ObservedObject`: an object that another part of the app owns.
@propertyWrapper
public struct ObservedObject<Object: ObservableObject> {
    /// Access to an object's values.
    @dynamicMemberLookup
    public struct Wrapper {
        let object: Object

        /// Access to a value.
        public subscript<Value>(
            dynamicMember path: ReferenceWritableKeyPath<Object, Value>
        ) -> Binding<Value> {
            Binding(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
        }
    }

    /// The object.
    public let wrappedValue: Object

    /// Wraps an object.
    public init(wrappedValue: Object) {
        self.wrappedValue = wrappedValue
    }

    /// Wraps an object.
    public init(initialValue: Object) {
        wrappedValue = initialValue
    }

    /// Access to the object's values.
    public var projectedValue: Wrapper { Wrapper(object: wrappedValue) }
}

/// The property wrapper `@EnvironmentObject`: an object of the view's environment.
@propertyWrapper
public struct EnvironmentObject<Object: ObservableObject> {
    /// Makes the property.
    public init() {}

    /// The object.
    ///
    /// Traps when the environment has none.
    public var wrappedValue: Object {
        guard let object = EnvironmentValues.now[object: Object.self] else {
            preconditionFailure("no \(Object.self) was set with .environmentObject(_:)")
        }
        return object
    }
}
