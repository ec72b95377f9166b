internal import Foundation

/// Runs a function on a thread of its own, and waits for its result.
///
/// A fleet blocks its thread while it waits for widget code. If it blocked a thread of the tasks'
/// pool, it could prevent that code from running.
func onOwnThread<Value: Sendable>(
    _ body: @escaping () throws -> Value
) async throws -> Value {
    // Safe: only the new thread calls the function, and only once.
    nonisolated(unsafe) let body = body
    return try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
            continuation.resume(with: Result { unsafe try body() })
        }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
