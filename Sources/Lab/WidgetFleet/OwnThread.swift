internal import Foundation

/// Runs something on a thread of its own, and waits for what comes of it.
///
/// A fleet waits for widget code without leaving its thread: on one that tasks share, the code for
/// which it waits might never run.
func onOwnThread<Value: Sendable>(
    _ body: @escaping () throws -> Value
) async throws -> Value {
    // Called once, by the thread; nobody else has it.
    nonisolated(unsafe) let body = body
    return try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
            continuation.resume(with: Result { unsafe try body() })
        }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
