/// A task in the background.
public struct BackgroundTask<Input, Output>: Sendable {
    /// The events of background downloads.
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void>
    where Input == Void, Output == Void { BackgroundTask<Void, Void>() }
}
