using System;

namespace ReloadRouter.Client
{
    /// <summary>Why a publisher cannot do what it was called for.</summary>
    public sealed class PublisherException : Exception
    {
        internal PublisherException(string code, string message, Exception cause = null)
            : base(message, cause)
        {
            Code = code;
        }

        /// <summary>
        /// The router's code where the router has ended the session for good; else <c>closed</c>,
        /// <c>not-connected</c> (no session began in time), <c>frame-length</c> (the push is too long), <c>outbox</c> or <c>security</c>.
        /// </summary>
        public string Code { get; }
    }
}
