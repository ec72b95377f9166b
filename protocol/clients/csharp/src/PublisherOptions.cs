using System;
using System.Collections.Generic;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text.RegularExpressions;

namespace ReloadRouter.Client {
    /// <summary>
    /// Where a publisher connects to, as whom, and its limits. All but the names have defaults. A
    /// publisher copies the options when it is made.
    /// </summary>
    public sealed class PublisherOptions {
        /// <summary>HOST, HOST:PORT, [IPv6] or [IPv6]:PORT; or an IPv6 address, which has more colons.</summary>
        private const string AddressPattern =
            @"^(?:\[(?<host>[^\]]*:[^\]]*)\]|(?<host>[^:/@\[\]\s]+))(?::(?<port>[0-9]{1,5}))?\z"
            + @"|^(?<host>[^\[]*:[^\[]*:[^\[]*)\z";

        private readonly bool hasNamedPort;
        private int port = 7410;

        /// <summary>
        /// Makes options with their defaults: TLS, port 7410, no token, no outbox. The host may have its port:
        /// HOST:PORT or [IPv6]:PORT.
        /// </summary>
        public PublisherOptions(string host, string app, string producer) {
            App = app ?? throw new ArgumentNullException(nameof(app));
            Producer = producer ?? throw new ArgumentNullException(nameof(producer));
            Match parts = Regex.Match(host ?? throw new ArgumentNullException(nameof(host)), AddressPattern);
            Host = parts.Groups["host"].Value;
            if (!parts.Success || Host.Contains(":") && !IPAddress.TryParse(Host, out IPAddress _)) {
                throw new ArgumentException(
                    "\"" + host + "\" is no address of a router: HOST, HOST:PORT or [IPv6]:PORT");
            }
            if (parts.Groups["port"].Success) {
                Port = int.Parse(parts.Groups["port"].Value);
                hasNamedPort = true;
            }
        }

        /// <summary>A name or an address of the router.</summary>
        public string Host { get; }

        /// <summary>The app that the pushes are for.</summary>
        public string App { get; }

        /// <summary>The stable name of this stream of pushes; only one publisher may use it.</summary>
        public string Producer { get; }

        /// <summary>The port of the router, which must not contradict that of the host.</summary>
        public int Port {
            get => port;
            set {
                if (value < 1 || value > 65535) {
                    throw new ArgumentException("the port " + value + " is not from 1 to 65535");
                }
                if (hasNamedPort && value != port) {
                    throw new ArgumentException("the address names the port " + port + ", not " + value);
                }
                port = value;
            }
        }

        /// <summary>Whether to ask what becomes of each push; the answers are <c>Outcome</c> events.</summary>
        public bool Outcomes { get; set; }

        /// <summary>HOST:PORT of the router's listener for publishers over HTTP, which <c>History</c> asks.</summary>
        public string HttpAddress { get; set; }

        /// <summary>How long <c>Publisher.Connect</c> waits for the first session.</summary>
        public TimeSpan ConnectLimit { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>The token that lets the publisher in; null for none.</summary>
        public string Token { get; set; }

        /// <summary>Whether the connection is plain TCP: for tests, and for a router on the same machine.</summary>
        public bool Plain { get; set; }

        /// <summary>
        /// The authorities that are trusted in place of those of the system; null for those. They are roots, to
        /// one of which the router's certificate must lead, or that certificate itself.
        /// </summary>
        public X509Certificate2Collection Authorities { get; set; }

        /// <summary>A certificate with its private key, which is shown to the router.</summary>
        public X509Certificate2 Certificate { get; set; }

        /// <summary>A file that keeps pushes until they are settled, so that a crash loses none; or null.</summary>
        public string Outbox { get; set; }

        /// <summary>The length of the outbox from which on it accepts nothing until it is emptied.</summary>
        public long OutboxBytes { get; set; } = 256 << 20;

        /// <summary>The most pushes without an answer. Beyond: <c>Push</c> waits.</summary>
        public int QueuedPushes { get; set; } = 8192;

        /// <summary>The most bytes of pushes without an answer. Beyond: <c>Push</c> waits.</summary>
        public int QueuedBytes { get; set; } = 16 << 20;

        /// <summary>How long connecting may take, for each address, and then the router's WELCOME.</summary>
        public TimeSpan AttemptTimeout { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>The silence after which PING is sent.</summary>
        public TimeSpan PingAfter { get; set; } = TimeSpan.FromSeconds(15);

        /// <summary>The silence after which the connection counts as lost.</summary>
        public TimeSpan LostAfter { get; set; } = TimeSpan.FromSeconds(45);

        /// <summary>The first pause before a reconnect is a random time between half of this and all of it.</summary>
        public TimeSpan FirstPause { get; set; } = TimeSpan.FromMilliseconds(100);

        /// <summary>Each further pause is twice as long, up to this one.</summary>
        public TimeSpan LongestPause { get; set; } = TimeSpan.FromSeconds(5);

        /// <summary>
        /// Called with each event, on the publisher's own thread. It must return soon, and must not
        /// call <c>Push</c> or <c>Flush</c>; <c>TryPush</c> and <c>Dispose</c> are allowed. Without it, the
        /// first failure of a row is written to the console's error output.
        /// </summary>
        public Action<PublisherEvent> OnEvent { get; set; }

        /// <summary>The host and the port as one address.</summary>
        internal string Address => (Host.Contains(":") ? "[" + Host + "]" : Host) + ":" + Port;

        /// <summary>A copy; throws <c>ArgumentException</c> if a limit makes no sense.</summary>
        internal PublisherOptions Checked() {
            bool isRight = QueuedPushes > 0 && OutboxBytes > 0 && QueuedBytes > 0 && QueuedBytes <= 256 << 20
                && ConnectLimit > TimeSpan.Zero && AttemptTimeout > TimeSpan.Zero && PingAfter > TimeSpan.Zero
                && LostAfter > TimeSpan.Zero && FirstPause > TimeSpan.Zero && LongestPause >= FirstPause;
            return isRight
                ? (PublisherOptions)MemberwiseClone()
                : throw new ArgumentException("a limit of the options makes no sense");
        }
    }

    /// <summary>How the router should treat a push. The default is an ordinary push.</summary>
    public struct PushSettings {
        /// <summary>Whether its reloads precede others.</summary>
        public bool Urgent { get; set; }

        /// <summary>
        /// When reloads that wait for it alone are not worth sending any more; null for never. A date before
        /// 2001 or after 9999 is refused: it was made from a number in another unit.
        /// </summary>
        public DateTimeOffset? ExpiresAt { get; set; }

        /// <summary>The kinds of widgets that it is limited to; null for all kinds.</summary>
        public IReadOnlyList<string> Kinds { get; set; }
    }
}
