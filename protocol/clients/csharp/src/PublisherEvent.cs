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

        /// <summary>The publisher has ended and will not connect again; <c>Code</c> says why.</summary>
        Failed,
    }

    /// <summary>What a publisher reports when it happens.</summary>
    public sealed class PublisherEvent
    {
        internal PublisherEvent(
            PublisherEventKind kind, long seq, string code, string retry, string message)
        {
            Kind = kind;
            Seq = seq;
            Code = code;
            Retry = retry;
            Message = message;
        }

        /// <summary>What has happened.</summary>
        public PublisherEventKind Kind { get; }

        /// <summary>The number of a rejected push, or the lastSeq of a session; else 0.</summary>
        public long Seq { get; }

        /// <summary>The stable code, such as <c>payload-not-json</c>; null if there is none.</summary>
        public string Code { get; }

        /// <summary>Whether the publisher connects again; null unless it is disconnected.</summary>
        public string Retry { get; }

        /// <summary>The reason, for people; null if there is none.</summary>
        public string Message { get; }

        /// <inheritdoc/>
        public override string ToString() => Kind + " " + Seq + " " + Code + " " + Retry + " " + Message;
    }
}
