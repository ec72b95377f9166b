using System.Collections.Generic;

namespace ReloadRouter.Client
{
    /// <summary>What has happened to a publisher.</summary>
    public enum PublisherEventKind
    {
        /// <summary>The router has accepted a session; <c>Seq</c> is its lastSeq.</summary>
        Connected,

        /// <summary>
        /// A connection, or an attempt to make one, has ended. <c>Code</c> is that of the router's
        /// ERROR, null if there was none; <c>Retry</c> is <c>reconnect</c>, <c>later</c> (after the
        /// longest pause), or <c>no</c>: then <c>Failed</c> follows.
        /// </summary>
        Disconnected,

        /// <summary>The router has refused the push <c>Seq</c>; the session continues.</summary>
        Rejected,

        /// <summary>
        /// The router has lost the pushes <c>Seq</c> to <c>Through</c>, which it had answered: its store
        /// was replaced by an older one. The publisher does not have them any more, either.
        /// </summary>
        Lost,

        /// <summary>
        /// What became of the push <c>Seq</c>, 0 about the app, if the options have <c>Outcomes</c>:
        /// <c>Outcome</c>.
        /// </summary>
        Outcome,

        /// <summary>The publisher has ended and will not connect again; <c>Code</c> says why.</summary>
        Failed,
    }

    /// <summary>What a publisher reports when it happens.</summary>
    public sealed class PublisherEvent
    {
        internal PublisherEvent(
            PublisherEventKind kind, long seq, string code, string retry, string message, long through = 0,
            IReadOnlyDictionary<string, object> outcome = null)
        {
            Kind = kind;
            Seq = seq;
            Code = code;
            Retry = retry;
            Message = message;
            Through = through;
            Outcome = outcome;
        }

        /// <summary>What has happened.</summary>
        public PublisherEventKind Kind { get; }

        /// <summary>
        /// The number of a rejected push or of the first lost one, or the lastSeq of a session; else 0.
        /// </summary>
        public long Seq { get; }

        /// <summary>The stable code, such as <c>payload-not-json</c>; null if there is none.</summary>
        public string Code { get; }

        /// <summary>Whether the publisher connects again; null unless it is disconnected.</summary>
        public string Retry { get; }

        /// <summary>The reason, for people; null if there is none.</summary>
        public string Message { get; }

        /// <summary>The number of the last lost push; else 0.</summary>
        public long Through { get; }

        /// <summary>
        /// The body of OUTCOME as dictionaries, lists, texts, numbers (<c>long</c> or <c>double</c>) and
        /// booleans; null if it is another event.
        /// </summary>
        public IReadOnlyDictionary<string, object> Outcome { get; }

        /// <inheritdoc/>
        public override string ToString() => Kind + " " + Seq + " " + Code + " " + Retry + " " + Message;
    }
}
