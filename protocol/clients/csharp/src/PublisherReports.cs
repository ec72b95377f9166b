using System;
using System.Collections.Generic;

namespace ReloadRouter.Client {
    /// <summary>What has happened to a publisher.</summary>
    public enum PublisherEventKind {
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

        /// <summary>What became of the push <c>Seq</c>, 0 about the app, if the options have <c>Outcomes</c>.</summary>
        Outcome,

        /// <summary>The publisher has ended and will not connect again; <c>Code</c> says why.</summary>
        Failed,
    }

    /// <summary>What a publisher reports when it happens. What an event does not have is null, or 0.</summary>
    public sealed class PublisherEvent {
        internal PublisherEvent(PublisherEventKind kind, PublisherException reason = null) {
            Kind = kind;
            Code = reason?.Code;
            Retry = reason?.Retry;
            Message = reason?.Message;
        }

        /// <summary>What has happened.</summary>
        public PublisherEventKind Kind { get; }

        /// <summary>The number of a push, of the first lost one, or the lastSeq of a session.</summary>
        public long Seq { get; internal set; }

        /// <summary>The stable code, such as <c>payload-not-json</c>.</summary>
        public string Code { get; internal set; }

        /// <summary>Whether the publisher connects again.</summary>
        public string Retry { get; }

        /// <summary>The reason, for people.</summary>
        public string Message { get; internal set; }

        /// <summary>The number of the last lost push.</summary>
        public long Through { get; internal set; }

        /// <summary>
        /// The body of OUTCOME as dictionaries, lists, texts, numbers (<c>long</c> or <c>double</c>) and booleans.
        /// </summary>
        public IReadOnlyDictionary<string, object> Outcome { get; internal set; }

        /// <inheritdoc/>
        public override string ToString() => Kind + " " + Seq + " " + Code + " " + Retry + " " + Message;
    }

    /// <summary>Why a publisher cannot do what it was called for.</summary>
    public sealed class PublisherException : Exception {
        internal PublisherException(string code, string message, Exception cause = null, string retry = "no")
            : base(message, cause) {
            Code = code;
            Retry = retry;
        }

        /// <summary>
        /// The router's code where the router has ended the session for good; else <c>closed</c>, <c>not-connected</c>
        /// (no session began in time), what an answer over HTTP says, or nothing without one, <c>frame-length</c> (the push is too long) or <c>outbox</c>.
        /// </summary>
        public string Code { get; }

        /// <summary>Whether another attempt is of use: <c>no</c>, <c>later</c> or <c>reconnect</c>.</summary>
        internal string Retry { get; }
    }

    /// <summary>A publisher's counters since it was made.</summary>
    public struct PublisherStatistics {
        /// <summary>Pushes that are neither acknowledged nor rejected now, sent or not.</summary>
        public long Queued { get; internal set; }

        /// <summary>Pushes passed to a connection; one that is sent again counts again.</summary>
        public long Sent { get; internal set; }

        /// <summary>Pushes that the router has accepted.</summary>
        public long Acknowledged { get; internal set; }

        /// <summary>Pushes that the router has refused.</summary>
        public long Rejected { get; internal set; }

        /// <summary>Widgets that the acknowledged pushes matched.</summary>
        public long Matched { get; internal set; }

        /// <summary>Sessions after the first one.</summary>
        public long Reconnects { get; internal set; }

        /// <inheritdoc/>
        public override string ToString()
            => "queued " + Queued + ", sent " + Sent + ", acknowledged " + Acknowledged
                + ", rejected " + Rejected + ", matched " + Matched + ", reconnects " + Reconnects;
    }
}
