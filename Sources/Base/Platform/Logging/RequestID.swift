/// The id of the admin request that is carried out, which every log line of it has.
///
/// It is bound for the time of a call, also where there are no tasks, and does not follow work to
/// another thread: whoever hands a request on binds it there again.
///
///     RequestID.$current.withValue(id) { perform(request) }
package enum RequestID {
    /// As `X-Request-Id` says it; nil outside of a request.
    @TaskLocal package static var current: String?
}
