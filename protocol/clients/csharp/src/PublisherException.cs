using System;

namespace ReloadRouter.Client {
    /// <summary>Why a publisher cannot do what it was called for.</summary>
    public sealed class PublisherException : Exception {
        internal PublisherException(string code, string message, Exception cause = null, string retry = "no")
            : base(message, cause) {
            Code = code;
            Retry = retry;
        }

        /// <summary>
        /// The router's code where the router has ended the session for good; else <c>closed</c>, <c>not-connected</c>
        /// (no session began in time), <c>frame-length</c> (the push is too long), <c>outbox</c> or <c>security</c>.
        /// </summary>
        public string Code { get; }

        /// <summary>Whether another attempt is of use: <c>no</c>, <c>later</c> or <c>reconnect</c>.</summary>
        internal string Retry { get; }
    }
}
