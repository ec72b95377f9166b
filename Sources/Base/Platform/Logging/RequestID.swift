/// The id of the admin request being handled, which all log lines about it contain.
///
/// It is set for the duration of a call, also outside of tasks. Other threads do not see it: code
/// that passes a request to another thread sets it there again.
///
///     RequestID.$current.withValue(id) { perform(request) }
package enum RequestID {
    /// The value of `X-Request-Id`; nil outside of a request.
    @TaskLocal package static var current: String?
}
